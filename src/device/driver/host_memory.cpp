#include "device/driver/host_memory.h"

#include <cstdlib>
#include <limits>
#include <map>
#include <mutex>
#include <new>

#include "device/driver/address_space.h"
#include "device/driver/error.h"
#include "device/driver/state.h"

// The simulated device reads host memory with the CPU, so that nothing has to be locked into physical memory. Blocks
// are whole pages of the heap: a memory checker sees an overrun.

namespace openreg::driver {
namespace {

struct HostBlocks {
  std::mutex mutex;
  std::map<std::uintptr_t, std::size_t> by_address;
};

// See Note [Leaked on purpose].
HostBlocks& host_blocks() {
  static auto* blocks = new HostBlocks;
  return *blocks;
}

std::optional<Block> find_locked(const HostBlocks& blocks, std::uintptr_t address) {
  auto found = blocks.by_address.upper_bound(address);
  if (found == blocks.by_address.begin()) return std::nullopt;
  --found;
  if (address - found->first >= found->second) return std::nullopt;
  return Block{found->first, found->second};
}

}  // namespace

std::optional<Block> find_host_block(std::uintptr_t address) noexcept {
  HostBlocks& blocks = host_blocks();
  const std::lock_guard lock(blocks.mutex);
  return find_locked(blocks, address);
}

Status host_allocate(std::size_t bytes, void** block) noexcept {
  if (driver_or_null() == nullptr) return fail_not_ready("host_allocate");
  if (block == nullptr) return fail_null("host_allocate", "block");
  if (bytes == 0) return fail(Status::invalid_argument, "host_allocate: bytes is 0");
  void* allocated = nullptr;
  if (bytes <= std::numeric_limits<std::size_t>::max() / 2) {
    allocated = std::aligned_alloc(page_size(), round_up(bytes, page_size()));
  }
  if (allocated == nullptr) {
    return fail(Status::reservation_failed, "host_allocate: the operating system refused %zu bytes", bytes);
  }
  try {
    HostBlocks& blocks = host_blocks();
    const std::lock_guard lock(blocks.mutex);
    blocks.by_address.emplace(reinterpret_cast<std::uintptr_t>(allocated), bytes);
  } catch (const std::bad_alloc&) {
    std::free(allocated);
    return fail_host_memory("host_allocate");
  }
  *block = allocated;
  return Status::success;
}

Status host_free(void* block) noexcept {
  if (block == nullptr || forked()) return Status::success;
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  {
    HostBlocks& blocks = host_blocks();
    const std::lock_guard lock(blocks.mutex);
    const std::optional<Block> found = find_locked(blocks, address);
    if (!found) return fail(Status::invalid_argument, "host_free: %p is in no live block of host_allocate", block);
    if (found->address != address) {
      return fail(Status::invalid_argument,
                  "host_free: %p lies %zu bytes inside a block of %zu bytes; free it by its "
                  "start",
                  block, static_cast<std::size_t>(address - found->address), found->bytes);
    }
    blocks.by_address.erase(address);
  }
  std::free(block);
  return Status::success;
}

}  // namespace openreg::driver
