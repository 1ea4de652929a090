#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "device/driver/address_space.h"
#include "device/driver/block_table.h"
#include "device/driver/driver.h"
#include "device/driver/task_failures.h"

namespace openreg::driver {

struct DeviceState {
  std::mutex memory_mutex;  // guards the two below; never held while pages are touched
  BlockTable blocks;
  std::size_t used = 0;  // bytes of live blocks, in whole granules

  std::mutex streams_mutex;  // guards the two below
  std::vector<std::shared_ptr<StreamState>> streams;
  TaskFailures orphaned_failures;  // of tasks whose stream was destroyed before a synchronize
};

// Note [Leaked on purpose]
// The one Driver is never destroyed: tensors in static storage are freed, and streams still run tasks, after the
// end of main. Nothing joins a worker at exit either: in a child process after fork there is none to join.
struct Driver {
  AddressSpace space;
  std::size_t capacity = 0;  // bytes per device
  std::array<DeviceState, max_device_count> devices;

  int device_count() const { return space.device_count; }
  bool has_device(int index) const { return index >= 0 && index < device_count(); }
  DeviceState& device(int index) { return devices[static_cast<std::size_t>(index)]; }
};

// The initialized driver, or null. Also null in a child process that was forked from an initialized one.
Driver* driver_or_null() noexcept;

// True in such a child: workers are gone and locks may be held for ever, so the driver refuses to work, and freeing
// does nothing.
bool forked() noexcept;

// Why driver_or_null() is null, as a status and text.
Status fail_not_ready(const char* function) noexcept;

Status fail_device(const char* function, int device, int device_count) noexcept;

// The calling thread's current device without any check; for the workers.
void set_thread_device(int device) noexcept;

}  // namespace openreg::driver
