#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "device/driver/error.h"
#include "tiny.h"

namespace openreg::driver {
namespace {

// A file that is never mapped is memory that no address reaches.
int device_bytes = -1;
tiny::AddressRange range;

struct Blocks {
  std::mutex mutex;
  std::map<std::uintptr_t, std::size_t> device;  // start, bytes
  std::map<std::uintptr_t, std::size_t> host;
  std::size_t used = 0;
};

// Leaked: blocks are freed until the process ends.
Blocks& blocks() {
  static auto* const instance = new Blocks;
  return *instance;
}

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }
std::size_t rounded(std::size_t bytes) { return (bytes + tiny::granule - 1) / tiny::granule * tiny::granule; }

using Block = std::pair<std::uintptr_t, std::size_t>;

Block block_at(const std::map<std::uintptr_t, std::size_t>& table, std::uintptr_t address) {
  auto next = table.upper_bound(address);
  if (next == table.begin()) return {};
  --next;
  return address - next->first < next->second ? Block(*next) : Block{};
}

// The offset of a range that lies in one block of the device.
Status device_offset(const char* function, const void* address, std::size_t bytes, std::size_t* offset) {
  const std::lock_guard lock(blocks().mutex);
  const auto [start, size] = block_at(blocks().device, number(address));
  if (size == 0 || number(address) - start + bytes > size) {
    return fail(Status::invalid_argument, "%s: %zu bytes at %p are not in one block of the device", function, bytes,
                address);
  }
  *offset = number(address) - range.base;
  return Status::success;
}

Status fail_io(const char* function) { return fail(Status::reservation_failed, "%s: the device is gone", function); }

// Through a buffer on the host, as between devices that do not see each other.
bool move_within(std::size_t to, std::size_t from, std::size_t bytes) {
  std::vector<char> buffer(std::min<std::size_t>(bytes, 1 << 20));
  for (std::size_t done = 0; done < bytes; done += buffer.size()) {
    const auto part = std::min(buffer.size(), bytes - done);
    if (!tiny::read_bytes(from + done, buffer.data(), part) || !tiny::write_bytes(to + done, buffer.data(), part)) {
      return false;
    }
  }
  return true;
}

}  // namespace

namespace tiny {

AddressRange address_range() noexcept { return range; }

Status set_up_memory(std::size_t capacity) noexcept {
  void* base = mmap(nullptr, capacity, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  device_bytes = memfd_create("tiny device", MFD_CLOEXEC);
  if (base == MAP_FAILED || device_bytes < 0 || ftruncate(device_bytes, static_cast<off_t>(capacity)) != 0) {
    return fail(Status::reservation_failed, "initialize: the operating system refuses %zu bytes", capacity);
  }
  range = {number(base), capacity};
  return Status::success;
}

bool write_bytes(std::size_t offset, const void* source, std::size_t bytes) noexcept {
  for (std::size_t done = 0; done < bytes;) {
    const auto part =
        pwrite(device_bytes, static_cast<const char*>(source) + done, bytes - done, static_cast<off_t>(offset + done));
    if (part <= 0) return false;
    done += static_cast<std::size_t>(part);
  }
  return true;
}

bool read_bytes(std::size_t offset, void* destination, std::size_t bytes) noexcept {
  for (std::size_t done = 0; done < bytes;) {
    const auto part =
        pread(device_bytes, static_cast<char*>(destination) + done, bytes - done, static_cast<off_t>(offset + done));
    if (part <= 0) return false;
    done += static_cast<std::size_t>(part);
  }
  return true;
}

}  // namespace tiny

Status memory_allocate(int device, std::size_t bytes, void** block) noexcept {
  if (const Status status = tiny::check_device("memory_allocate", device); status != Status::success) return status;
  if (block == nullptr) return fail_null("memory_allocate", "block");
  if (bytes == 0) return fail(Status::invalid_argument, "memory_allocate: 0 bytes");
  const std::lock_guard lock(blocks().mutex);
  auto start = range.base;
  for (const auto& [used_start, used_bytes] : blocks().device) {  // the first gap that is wide enough
    if (used_start - start >= rounded(bytes)) break;
    start = used_start + rounded(used_bytes);
  }
  if (bytes > range.bytes || start - range.base > range.bytes - rounded(bytes)) {
    return fail(Status::out_of_memory, "memory_allocate: no room for %zu bytes among %zu", bytes, range.bytes);
  }
  blocks().device[start] = bytes;
  blocks().used += rounded(bytes);
  *block = reinterpret_cast<void*>(start);
  const std::vector<char> zeros(rounded(bytes));
  return tiny::write_bytes(start - range.base, zeros.data(), bytes) ? Status::success : fail_io("memory_allocate");
}

Status memory_free(void* block) noexcept {
  if (block == nullptr) return Status::success;
  const std::lock_guard lock(blocks().mutex);
  const auto found = blocks().device.find(number(block));
  if (found == blocks().device.end()) {
    return fail(Status::invalid_argument, "memory_free: %p is not the start of a block", block);
  }
  blocks().used -= rounded(found->second);
  blocks().device.erase(found);
  return Status::success;
}

Status memory_discard(void* address, std::size_t bytes) noexcept { return fill(address, 0, bytes); }

Status pointer_attributes(const void* address, PointerAttributes* attributes) noexcept {
  if (attributes == nullptr) return fail_null("pointer_attributes", "attributes");
  *attributes = {};
  const std::lock_guard lock(blocks().mutex);
  for (const auto kind : {MemoryKind::device, MemoryKind::host}) {
    const bool on_device = kind == MemoryKind::device;
    const auto [start, size] = block_at(on_device ? blocks().device : blocks().host, number(address));
    if (size != 0) {
      *attributes = {kind, on_device ? 0 : -1, reinterpret_cast<void*>(start), size, number(address) - start};
    }
  }
  return Status::success;
}

Status memory_info(int device, MemoryInfo* info) noexcept {
  if (const Status status = tiny::check_device("memory_info", device); status != Status::success) return status;
  if (info == nullptr) return fail_null("memory_info", "info");
  const std::lock_guard lock(blocks().mutex);
  *info = {range.bytes - blocks().used, range.bytes};
  return Status::success;
}

Status host_allocate(std::size_t bytes, void** block) noexcept {
  if (block == nullptr) return fail_null("host_allocate", "block");
  if (bytes == 0) return fail(Status::invalid_argument, "host_allocate: 0 bytes");
  void* made = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (made == nullptr) return fail_host_memory("host_allocate");
  const std::lock_guard lock(blocks().mutex);
  blocks().host[number(made)] = bytes;
  *block = made;
  return Status::success;
}

Status host_free(void* block) noexcept {
  const std::lock_guard lock(blocks().mutex);
  if (block != nullptr && blocks().host.erase(number(block)) == 0) {
    return fail(Status::invalid_argument, "host_free: %p is not the start of a block", block);
  }
  std::free(block);
  return Status::success;
}

Status copy(void* destination, const void* source, std::size_t bytes, CopyKind kind) noexcept {
  if (const Status status = tiny::check_ready("copy"); status != Status::success) return status;
  if (bytes == 0) return Status::success;
  const bool to_device = kind == CopyKind::host_to_device || kind == CopyKind::device_to_device;
  const bool from_device = kind == CopyKind::device_to_host || kind == CopyKind::device_to_device;
  std::size_t to = 0;
  std::size_t from = 0;
  Status status = to_device ? device_offset("copy", destination, bytes, &to) : Status::success;
  if (status == Status::success && from_device) status = device_offset("copy", source, bytes, &from);
  if (status != Status::success) return status;
  bool done = true;
  switch (kind) {
    case CopyKind::host_to_host:
      std::memcpy(destination, source, bytes);
      break;
    case CopyKind::host_to_device:
      done = tiny::write_bytes(to, source, bytes);
      break;
    case CopyKind::device_to_host:
      done = tiny::read_bytes(from, destination, bytes);
      break;
    case CopyKind::device_to_device:
      done = move_within(to, from, bytes);
      break;
  }
  return done ? Status::success : fail_io("copy");
}

Status fill(void* destination, int value, std::size_t bytes) noexcept {
  if (bytes == 0) return Status::success;
  std::size_t offset = 0;
  const Status status = device_offset("fill", destination, bytes, &offset);
  if (status != Status::success) return status;
  const std::vector<char> same(bytes, static_cast<char>(value));
  return tiny::write_bytes(offset, same.data(), bytes) ? Status::success : fail_io("fill");
}

}  // namespace openreg::driver
