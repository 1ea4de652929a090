#include <pthread.h>

#include <atomic>
#include <cstdio>
#include <new>

#include "device/driver/error.h"
#include "device/driver/state.h"
#include "device/driver/stream.h"

namespace openreg::driver {
namespace {

// See Note [Leaked on purpose]. All of this is constant-initialised: it works from any static initialiser.
constinit std::mutex initialize_mutex;
constinit std::atomic<Driver*> the_driver{nullptr};
constinit std::atomic<bool> in_forked_child{false};
constinit thread_local int thread_device = 0;

void after_fork_in_child() {
  in_forked_child.store(true);
  the_driver.store(nullptr);
  forget_pending_work();
}

Status create_driver(const Config& config, Driver** driver) {
  AddressSpace space;
  const Status status = reserve(config.device_count, config.memory_capacity, &space);
  if (status != Status::success) return status;
  auto* created = new Driver;
  created->space = space;
  created->capacity = config.memory_capacity == 0 ? space.bytes_per_device : config.memory_capacity;
  for (int device = 0; device < config.device_count; ++device) {
    created->device(device).blocks.reset(space.device_base(device), space.bytes_per_device);
  }
  *driver = created;
  return Status::success;
}

}  // namespace

Driver* driver_or_null() noexcept { return the_driver.load(std::memory_order_acquire); }

bool forked() noexcept { return in_forked_child.load(std::memory_order_relaxed); }

Status fail_not_ready(const char* function) noexcept {
  if (forked()) {
    return fail(Status::unsupported, "%s: the device cannot be used in a child process after fork", function);
  }
  return fail(Status::not_initialized, "%s: call initialize() first", function);
}

Status fail_device(const char* function, int device, int device_count) noexcept {
  return fail(Status::invalid_device, "%s: device %d is out of range; it must be in [0, %d)", function, device,
              device_count);
}

void set_thread_device(int device) noexcept { thread_device = device; }

Status initialize(const Config& config) noexcept {
  if (forked()) return fail_not_ready("initialize");
  const std::lock_guard lock(initialize_mutex);
  if (driver_or_null() != nullptr) return Status::success;
  if (config.device_count < 1 || config.device_count > max_device_count) {
    return fail(Status::invalid_argument, "initialize: device_count is %d; it must be in [1, %d]", config.device_count,
                max_device_count);
  }
  Driver* driver = nullptr;
  try {
    const Status status = create_driver(config, &driver);
    if (status != Status::success) return status;
  } catch (const std::bad_alloc&) {
    return fail_host_memory("initialize");
  }
  pthread_atfork(nullptr, nullptr, after_fork_in_child);
  the_driver.store(driver, std::memory_order_release);
  return Status::success;
}

Status device_count(int* count) noexcept {
  Driver* driver = driver_or_null();
  if (driver == nullptr) return fail_not_ready("device_count");
  if (count == nullptr) return fail_null("device_count", "count");
  *count = driver->device_count();
  return Status::success;
}

Status device_properties(int device, DeviceProperties* properties) noexcept {
  Driver* driver = driver_or_null();
  if (driver == nullptr) return fail_not_ready("device_properties");
  if (properties == nullptr) return fail_null("device_properties", "properties");
  if (!driver->has_device(device)) {
    return fail_device("device_properties", device, driver->device_count());
  }
  *properties = {};
  std::snprintf(properties->name, sizeof(properties->name), "openreg simulated device");
  properties->memory_capacity = driver->capacity;
  properties->allocation_granularity = granularity;
  properties->address_base = driver->space.device_base(device);
  properties->address_bytes = driver->space.bytes_per_device;
  properties->host_addressable = true;
  properties->host_distance = driver->space.distance;
  properties->least_priority = least_priority;
  properties->greatest_priority = greatest_priority;
  return Status::success;
}

Status current_device(int* device) noexcept {
  if (driver_or_null() == nullptr) return fail_not_ready("current_device");
  if (device == nullptr) return fail_null("current_device", "device");
  *device = thread_device;
  return Status::success;
}

Status set_current_device(int device) noexcept {
  Driver* driver = driver_or_null();
  if (driver == nullptr) return fail_not_ready("set_current_device");
  if (!driver->has_device(device)) {
    return fail_device("set_current_device", device, driver->device_count());
  }
  thread_device = device;
  return Status::success;
}

}  // namespace openreg::driver
