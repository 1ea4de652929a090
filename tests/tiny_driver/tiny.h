#pragma once

#include <cstddef>
#include <cstdint>

#include "device/driver/driver.h"

// A whole driver in three small files, as a first one for real hardware would be: one device, whose memory the host
// cannot address, and which has done its work when a call returns. It keeps error and status of the simulated device
// and replaces everything else in src/device/driver.
namespace openreg::driver::tiny {

inline constexpr std::size_t granule = 64 << 10;

Status check_ready(const char* function) noexcept;
Status check_device(const char* function, int device) noexcept;

// What stands for the hardware: bytes at an offset, which nothing but these two can reach.
bool write_bytes(std::size_t offset, const void* source, std::size_t bytes) noexcept;
bool read_bytes(std::size_t offset, void* destination, std::size_t bytes) noexcept;

// Makes `capacity` bytes, and an address range for them that nobody can access.
Status set_up_memory(std::size_t capacity) noexcept;

struct AddressRange {
  std::uintptr_t base = 0;
  std::size_t bytes = 0;
};
AddressRange address_range() noexcept;

}  // namespace openreg::driver::tiny
