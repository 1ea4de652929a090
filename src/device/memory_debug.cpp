#include "device/memory_debug.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "device/runtime.h"

namespace openreg::device {
namespace {

unsigned char* host_bytes(void* device_address) { return static_cast<unsigned char*>(to_host(device_address)); }

bool is_all(const unsigned char* bytes, std::size_t count, unsigned char value) {
  return std::all_of(bytes, bytes + count, [value](unsigned char byte) { return byte == value; });
}

}  // namespace

MemoryDebug::MemoryDebug(int device) : device_(device) {
  TORCH_CHECK(host_distance() != 0,
              "OPENREG_MEMORY_DEBUG=1 needs a device whose memory the host can address: ", kBackendName, ":", device,
              " is none. Unset it.");
}

void* MemoryDebug::hand_out(void* block, std::size_t block_bytes, std::size_t bytes) {
  auto* host = host_bytes(block);
  std::memset(host, guard, gap);
  std::memset(host + gap, fresh, bytes);
  std::memset(host + gap + bytes, guard, block_bytes - gap - bytes);
  void* address = static_cast<char*>(block) + gap;
  const std::lock_guard lock(mutex_);
  live_[address] = {bytes, block_bytes};
  return address;
}

void* MemoryDebug::take_back(void* address) noexcept {
  Record record{};
  {
    const std::lock_guard lock(mutex_);
    const auto found = live_.find(address);
    if (found == live_.end()) {
      const auto freed = freed_.find(address);
      if (freed != freed_.end()) {
        report("double free", address, freed->second);
      }
      report("free of an address that is no block's", address, 0);
    }
    record = found->second;
    live_.erase(found);
    freed_[address] = record.bytes;
  }
  void* block = static_cast<char*>(address) - gap;
  const auto* host = host_bytes(block);
  if (!is_all(host, gap, guard)) {
    report("bytes before the block were written", address, record.bytes);
  }
  if (!is_all(host + gap + record.bytes, record.block_bytes - gap - record.bytes, guard)) {
    report("bytes past the end of the block were written", address, record.bytes);
  }
  return block;
}

void MemoryDebug::make_stale(void* block, std::size_t block_bytes) noexcept {
  std::memset(host_bytes(block), stale, block_bytes);
}

void MemoryDebug::report(const char* what, const void* address, std::size_t bytes) const noexcept {
  std::fprintf(stderr, "openreg: %s: block of %zu bytes at %p on %s:%d (found by OPENREG_MEMORY_DEBUG)\n", what, bytes,
               address, kBackendName, device_);
  std::abort();
}

}  // namespace openreg::device
