#pragma once

#include <c10/core/Device.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "device/size_class.h"
#include "openreg/memory.h"

namespace openreg::device {

// The blocks of one device. Small blocks are cut from slabs of one size class, a large block is a driver block
// of its own; freed blocks wait in their class for the next caller. Both ways cost the same with one live block
// and with a million: a table from 64 KiB unit to span finds the class of an address.
class BlockCache {
 public:
  explicit BlockCache(int device);

  // A device address of at least `bytes` > 0 bytes, or null when the device is full even after all cached
  // blocks went back to the driver.
  void* try_allocate(std::size_t bytes);

  // Same, but throws c10::OutOfMemoryError with the numbers.
  void* allocate(std::size_t bytes);

  void free(void* address) noexcept;

  // Bytes that the block at `address` can hold.
  std::size_t block_bytes(const void* address) const noexcept;

  // Gives spans without a live block back to the driver.
  void release_unused() noexcept;

  MemoryStatistics statistics() const;
  void reset_peaks();

 private:
  struct Span {
    std::uintptr_t base = 0;
    std::size_t bytes = 0;
    int size_class = 0;
    std::uint32_t live = 0;  // blocks in use
  };

  Span& span_of(const void* address) const noexcept;
  bool grow(int size_class);
  void release_unused_locked() noexcept;
  [[noreturn]] void throw_out_of_memory(std::size_t bytes);

  const int device_;
  std::uintptr_t address_base_ = 0;
  std::size_t unit_ = 0;
  Span** units_ = nullptr;  // one entry a unit of the device's addresses; its pages exist where it is used
  mutable std::mutex mutex_;
  std::array<std::vector<void*>, kClassCount> free_;
  std::array<std::size_t, kClassCount> total_{};  // blocks of each class, live and free
  MemoryStatistics statistics_;
};

// The cache of a device; the index must be valid.
BlockCache& block_cache(c10::DeviceIndex device);

// The device that a device address belongs to.
c10::DeviceIndex device_of(const void* device_address) noexcept;

}  // namespace openreg::device
