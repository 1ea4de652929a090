#include <new>

#include "device/driver/error.h"
#include "device/driver/host_memory.h"
#include "device/driver/ranges.h"
#include "device/driver/state.h"

namespace openreg::driver {
namespace {

// Each closed hole between blocks costs two of the process's mappings (vm.max_map_count, 65530), which its heap and
// its threads need too. Above this number per device, holes are emptied but stay open.
constexpr std::size_t max_closed_holes = 2048;

Status fail_capacity(int device, std::size_t bytes, std::size_t used, std::size_t capacity) {
  return fail(Status::out_of_memory,
              "memory_allocate: device %d has not enough memory: %zu bytes requested, %zu used, capacity %zu", device,
              bytes, used, capacity);
}

// Finds addresses and counts them as used; the pages come later, without the lock.
Status take_addresses(Driver& driver, int device, std::size_t bytes, std::uintptr_t* address) {
  DeviceState& state = driver.device(device);
  const std::lock_guard lock(state.memory_mutex);
  if (bytes > driver.capacity) return fail_capacity(device, bytes, state.used, driver.capacity);
  const std::size_t rounded = round_up(bytes, granularity);
  if (rounded > driver.capacity - state.used) return fail_capacity(device, bytes, state.used, driver.capacity);
  const std::optional<std::uintptr_t> taken = state.blocks.take(rounded);
  if (!taken) {
    return fail(
        Status::out_of_memory,
        "memory_allocate: device %d has no %zu bytes of addresses in one piece: the largest piece has %zu bytes; "
        "%zu bytes used, capacity %zu",
        device, bytes, state.blocks.largest_free(), state.used, driver.capacity);
  }
  state.used += rounded;
  *address = *taken;
  return Status::success;
}

void give_addresses_back(DeviceState& state, std::uintptr_t address, std::size_t rounded) noexcept {
  const std::lock_guard lock(state.memory_mutex);
  state.used -= rounded;
  try {
    state.blocks.give_back(address, rounded);
  } catch (const std::bad_alloc&) {
    // The addresses are lost, the pages are not: better than ending the process on a free.
  }
}

Status fail_free(const BlockTable& blocks, int device, std::uintptr_t address) {
  const void* pointer = reinterpret_cast<const void*>(address);
  if (const std::optional<Block> block = blocks.find(address)) {
    return fail(Status::invalid_argument,
                "memory_free: %p lies %zu bytes inside a block of %zu bytes on device %d; free it by its start %p",
                pointer, static_cast<std::size_t>(address - block->address), block->bytes, device,
                reinterpret_cast<const void*>(block->address));
  }
  if (const std::optional<Block> block = blocks.was_freed(address)) {
    return fail(Status::invalid_argument, "memory_free: %p was freed already: a block of %zu bytes on device %d",
                pointer, block->bytes, device);
  }
  return fail(Status::invalid_argument, "memory_free: %p is not a live block; device %d holds none at this address",
              pointer, device);
}

}  // namespace

Status memory_allocate(int device, std::size_t bytes, void** block) noexcept {
  Driver* driver = driver_or_null();
  if (driver == nullptr) return fail_not_ready("memory_allocate");
  if (block == nullptr) return fail_null("memory_allocate", "block");
  if (!driver->has_device(device)) return fail_device("memory_allocate", device, driver->device_count());
  if (bytes == 0) return fail(Status::invalid_argument, "memory_allocate: bytes is 0");

  std::uintptr_t address = 0;
  try {
    const Status status = take_addresses(*driver, device, bytes, &address);
    if (status != Status::success) return status;
  } catch (const std::bad_alloc&) {
    return fail_host_memory("memory_allocate");
  }
  DeviceState& state = driver->device(device);
  const std::size_t rounded = round_up(bytes, granularity);
  Status status = commit(driver->space, address, rounded);
  if (status == Status::success) {
    try {
      const std::lock_guard lock(state.memory_mutex);
      state.blocks.insert({address, bytes});
    } catch (const std::bad_alloc&) {
      close_pages(driver->space, address, rounded);
      status = fail_host_memory("memory_allocate");
    }
  }
  if (status != Status::success) {
    give_addresses_back(state, address, rounded);
    return status;
  }
  *block = reinterpret_cast<void*>(address);
  return Status::success;
}

Status memory_free(void* block) noexcept {
  if (block == nullptr || forked()) return Status::success;
  Driver* driver = driver_or_null();
  if (driver == nullptr) return fail_not_ready("memory_free");
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  if (!driver->space.in_device_range(address)) {
    return fail(Status::invalid_argument, "memory_free: %p is not an address of any device", block);
  }
  const int device = driver->space.device_of(address);
  DeviceState& state = driver->device(device);
  std::size_t rounded = 0;
  bool close = false;
  {
    const std::lock_guard lock(state.memory_mutex);
    const std::optional<Block> found = state.blocks.find(address);
    if (!found || found->address != address) return fail_free(state.blocks, device, address);
    rounded = round_up(found->bytes, granularity);
    state.blocks.erase(*found);
    close = state.blocks.free_range_count() < max_closed_holes;
  }
  // Nobody else can reach these addresses now: they are neither live nor free.
  discard_pages(driver->space, address, rounded);
  if (close) close_pages(driver->space, address, rounded);
  give_addresses_back(state, address, rounded);
  return Status::success;
}

Status memory_discard(void* address, std::size_t bytes) noexcept {
  Driver* driver = driver_or_null();
  if (driver == nullptr) return fail_not_ready("memory_discard");
  if (bytes == 0) return Status::success;
  DeviceRange range;
  const Status status = resolve_device_range(*driver, "memory_discard", "address", address, bytes, &range);
  if (status != Status::success) return status;
  discard(*driver, range);
  return Status::success;
}

Status pointer_attributes(const void* address, PointerAttributes* attributes) noexcept {
  if (attributes == nullptr) return fail_null("pointer_attributes", "attributes");
  if (forked()) return fail_not_ready("pointer_attributes");
  PointerAttributes result;
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  if (Driver* driver = driver_or_null(); driver != nullptr && address != nullptr) {
    std::optional<Block> block;
    if (driver->space.in_device_range(number)) {
      const int device = driver->space.device_of(number);
      block = find_block(*driver, number);
      if (block) result = {MemoryKind::device, device, nullptr, 0, 0};
    } else {
      block = find_host_block(number);
      if (block) result.kind = MemoryKind::host;
    }
    if (block) {
      result.block = reinterpret_cast<void*>(block->address);
      result.size = block->bytes;
      result.offset = number - block->address;
    }
  }
  *attributes = result;
  return Status::success;
}

Status memory_info(int device, MemoryInfo* info) noexcept {
  Driver* driver = driver_or_null();
  if (driver == nullptr) return fail_not_ready("memory_info");
  if (info == nullptr) return fail_null("memory_info", "info");
  if (!driver->has_device(device)) return fail_device("memory_info", device, driver->device_count());
  DeviceState& state = driver->device(device);
  const std::lock_guard lock(state.memory_mutex);
  *info = {driver->capacity - state.used, driver->capacity};
  return Status::success;
}

}  // namespace openreg::driver
