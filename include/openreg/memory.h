#pragma once

#include <c10/core/Device.h>

#include <cstddef>
#include <cstdint>

// Device memory: what is used, and how to give it back. All functions may be called from any thread.
namespace openreg {

// Counts of one device since the process began. Bytes are those of the blocks handed out, which are up to a
// fifth larger than what was asked for.
struct MemoryStatistics {
  std::size_t allocated = 0;       // bytes in live blocks
  std::size_t peak_allocated = 0;  // its highest value
  std::size_t reserved = 0;        // bytes held from the driver: live blocks and cached ones
  std::size_t peak_reserved = 0;
  std::uint64_t allocations = 0;   // blocks handed out
  std::uint64_t frees = 0;         // blocks given back
  std::uint64_t driver_allocations = 0;
  std::uint64_t driver_frees = 0;
  std::uint64_t out_of_memory = 0;  // times c10::OutOfMemoryError was thrown
};

// Throws c10::Error when the device does not exist; -1 is the current device.
MemoryStatistics memory_statistics(c10::DeviceIndex device = -1);

// Sets the peaks to the present values. Throws as above.
void reset_peak_memory(c10::DeviceIndex device = -1);

// Gives cached blocks of every device back to the driver. Live tensors keep theirs.
void empty_cache();

}  // namespace openreg
