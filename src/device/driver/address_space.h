#pragma once

#include <cstddef>
#include <cstdint>

#include "device/driver/driver.h"

namespace openreg::driver {

// Note [Two address ranges]
// One reservation holds two ranges of equal size. Device blocks are addresses in the first, the *device range*,
// which nobody can read or write, ever. Their bytes lie in the second, the *backing range*, one constant distance
// further on. Code that plays the device adds the distance; host code that forgets to faults, on every thread and
// at any time, also while a task works on the very same block. Nothing is opened and closed around accesses.
//
// Backing pages are accessible only while they belong to a block, so that a stray access of the device's own code
// outside of every block faults as well.
struct AddressSpace {
  std::uintptr_t base = 0;
  std::size_t bytes_per_device = 0;
  int device_count = 0;
  std::ptrdiff_t distance = 0;

  std::size_t total_bytes() const { return bytes_per_device * static_cast<std::size_t>(device_count); }
  std::uintptr_t device_base(int device) const { return base + bytes_per_device * static_cast<std::size_t>(device); }
  bool in_device_range(std::uintptr_t address) const { return address - base < total_bytes(); }
  bool in_backing_range(std::uintptr_t address) const { return in_device_range(address - total_bytes()); }
  // The device whose part holds an address of the device range.
  int device_of(std::uintptr_t address) const { return static_cast<int>((address - base) / bytes_per_device); }
  std::byte* host(std::uintptr_t address) const {
    return reinterpret_cast<std::byte*>(address + static_cast<std::uintptr_t>(distance));
  }
};

inline constexpr std::size_t granularity = std::size_t{64} << 10;
inline constexpr std::size_t huge_page = std::size_t{2} << 20;
inline constexpr std::size_t default_bytes_per_device = std::size_t{64} << 30;

constexpr std::size_t round_up(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

std::size_t page_size() noexcept;

// Reserves both ranges, inaccessible and without swap space. capacity 0: the default size.
Status reserve(int device_count, std::size_t capacity, AddressSpace* space) noexcept;

// Makes the backing of whole granules of the device range accessible; the bytes are zero.
Status commit(const AddressSpace& space, std::uintptr_t address, std::size_t bytes) noexcept;

// Gives the pages of a page-aligned range back; it stays accessible and reads as zero.
void discard_pages(const AddressSpace& space, std::uintptr_t address, std::size_t bytes) noexcept;

// Makes discarded pages inaccessible. Where the system refuses, they stay open: zero, and harmless.
void close_pages(const AddressSpace& space, std::uintptr_t address, std::size_t bytes) noexcept;

}  // namespace openreg::driver
