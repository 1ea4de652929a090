#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "device/driver/state.h"

namespace openreg::driver {

// A checked part of a live device block.
struct DeviceRange {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  bool to_block_end = false;
  std::byte* host = nullptr;  // where its bytes lie
};

std::optional<Block> find_block(Driver& driver, std::uintptr_t address) noexcept;

// Both ends must lie in one live block. `function` and `argument` name the culprit in last_error().
Status resolve_device_range(Driver& driver, const char* function, const char* argument, const void* address,
                            std::size_t bytes, DeviceRange* range) noexcept;

// The range must not touch the device range. Inside a block of host_allocate, or inside the backing of a device block
// (that is where a host view points), both ends must lie in it; other host memory is the caller's word.
Status resolve_host_range(Driver& driver, const char* function, const char* argument, const void* address,
                          std::size_t bytes, std::byte** host) noexcept;

// Drops the pages that lie wholly inside the range, and sets the rest of it to zero.
void discard(Driver& driver, const DeviceRange& range) noexcept;

}  // namespace openreg::driver
