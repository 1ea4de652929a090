#pragma once

#include <c10/core/Device.h>

#include <cstddef>
#include <cstdint>
#include <string>

// Device memory: what is used, and how to give it back. All functions may be called from any thread.
namespace openreg {

// Counts of one device since the process began. Bytes are those of the blocks handed out, which are up to a
// fifth larger than what was asked for.
struct MemoryStatistics {
  std::size_t allocated = 0;       // bytes in live blocks
  std::size_t peak_allocated = 0;  // its highest value
  std::size_t waiting = 0;         // bytes freed that work queued on a stream may still use
  std::size_t reserved = 0;        // bytes held from the driver: live blocks, waiting and cached ones
  std::size_t peak_reserved = 0;
  std::uint64_t allocations = 0;  // blocks handed out
  std::uint64_t frees = 0;        // blocks given back
  std::uint64_t driver_allocations = 0;
  std::uint64_t driver_frees = 0;
  std::uint64_t out_of_memory = 0;  // times c10::OutOfMemoryError was thrown
};

// Throws c10::Error when the device does not exist; -1 is the current device.
MemoryStatistics memory_statistics(c10::DeviceIndex device = -1);

// Sets the peaks to the present values. Throws as above.
void reset_peak_memory(c10::DeviceIndex device = -1);

struct MemoryInfo {
  std::size_t free = 0;      // bytes that no block, live or cached, takes up
  std::size_t capacity = 0;  // bytes: OPENREG_MEMORY_LIMIT, or what the address range can take
};

// Throws as above.
MemoryInfo memory_info(c10::DeviceIndex device = -1);

// All of it as a table of text, one column a device, for people to read.
std::string memory_summary();

// Gives cached blocks of every device back to the driver. Live tensors keep theirs, and so do streams.
void empty_cache();

// ---- pinned host memory: what Tensor::pin_memory() gives ------------------------------------------------------

struct PinnedStatistics {
  std::size_t allocated = 0;  // bytes in live blocks
  std::size_t reserved = 0;   // bytes held from the driver
  std::uint64_t allocations = 0;
  std::uint64_t frees = 0;
};

PinnedStatistics pinned_statistics();

// Gives cached pinned blocks back to the driver.
void empty_pinned_cache();

// ---- faults --------------------------------------------------------------------------------------------------

// From now on a SIGSEGV or SIGBUS on an address of openreg's is explained on stderr: device, block, its size, offset.
// Then the handler that was there before runs, or the process dies as it would have. Other faults go straight to that.
// The calling thread gets a stack for signals if it has none; other threads run the handler on their own. Call it once,
// after other libraries have installed theirs. Starts the devices; throws c10::Error when they cannot start.
void install_fault_handler();

}  // namespace openreg
