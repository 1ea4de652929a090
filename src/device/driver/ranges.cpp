#include "device/driver/ranges.h"

#include <cstring>
#include <limits>

#include "device/driver/error.h"
#include "device/driver/host_memory.h"

namespace openreg::driver {
namespace {

Status fail_past_end(const char* function, const char* argument, const void* address, std::size_t bytes,
                     std::uintptr_t number, const Block& block) {
  return fail(
      Status::invalid_argument,
      "%s: %s %p and %zu bytes run past the end of their block: %zu bytes at %p, of which %zu follow the address",
      function, argument, address, bytes, block.bytes, reinterpret_cast<const void*>(block.address),
      static_cast<std::size_t>(block.address + block.bytes - number));
}

bool fits(const Block& block, std::uintptr_t address, std::size_t bytes) {
  return bytes <= block.address + block.bytes - address;
}

}  // namespace

std::optional<Block> find_block(Driver& driver, std::uintptr_t address) noexcept {
  DeviceState& state = driver.device(driver.space.device_of(address));
  const std::lock_guard lock(state.memory_mutex);
  return state.blocks.find(address);
}

Status resolve_device_range(Driver& driver, const char* function, const char* argument, const void* address,
                            std::size_t bytes, DeviceRange* range) noexcept {
  if (address == nullptr) return fail_null(function, argument);
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  if (!driver.space.in_device_range(number)) {
    return fail(Status::invalid_argument, "%s: %s %p is not an address of any device", function, argument, address);
  }
  const std::optional<Block> block = find_block(driver, number);
  if (!block) {
    return fail(Status::invalid_argument, "%s: %s %p is in no live block of device %d", function, argument, address,
                driver.space.device_of(number));
  }
  if (!fits(*block, number, bytes)) return fail_past_end(function, argument, address, bytes, number, *block);
  *range = {number, bytes, number + bytes == block->address + block->bytes, driver.space.host(number)};
  return Status::success;
}

Status resolve_host_range(Driver& driver, const char* function, const char* argument, const void* address,
                          std::size_t bytes, std::byte** host) noexcept {
  if (address == nullptr) return fail_null(function, argument);
  const AddressSpace& space = driver.space;
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  if (bytes > std::numeric_limits<std::uintptr_t>::max() - number) {
    return fail(Status::invalid_argument, "%s: %s %p and %zu bytes run past the end of memory", function, argument,
                address, bytes);
  }
  if (space.in_backing_range(number)) {
    const std::uintptr_t device_number = number - static_cast<std::uintptr_t>(space.distance);
    const std::optional<Block> block = find_block(driver, device_number);
    if (!block) {
      return fail(Status::invalid_argument, "%s: %s %p is the backing of no live block", function, argument, address);
    }
    if (!fits(*block, device_number, bytes)) {
      return fail_past_end(function, argument, address, bytes, device_number, *block);
    }
  } else if (number + bytes > space.base && number < space.base + space.total_bytes()) {
    return fail(Status::invalid_argument,
                "%s: %s %p and %zu bytes are not host memory: they reach into the addresses "
                "of the devices",
                function, argument, address, bytes);
  } else if (const std::optional<Block> block = find_host_block(number); block) {
    if (!fits(*block, number, bytes)) return fail_past_end(function, argument, address, bytes, number, *block);
  }
  *host = reinterpret_cast<std::byte*>(number);
  return Status::success;
}

void discard(Driver& driver, const DeviceRange& range) noexcept {
  const std::size_t page = page_size();
  const std::uintptr_t end = range.address + range.bytes;
  const std::uintptr_t first_page = round_up(range.address, page);
  // Behind the end of a block lies nothing of anybody else: its last page goes as a whole.
  const std::uintptr_t last_page = range.to_block_end ? round_up(end, page) : end / page * page;
  if (first_page >= last_page) {
    std::memset(range.host, 0, range.bytes);
    return;
  }
  std::memset(range.host, 0, first_page - range.address);
  discard_pages(driver.space, first_page, last_page - first_page);
  if (end > last_page) std::memset(driver.space.host(last_page), 0, end - last_page);
}

}  // namespace openreg::driver
