#include <atomic>
#include <cstdio>
#include <mutex>

#include "device/driver/error.h"
#include "tiny.h"

namespace openreg::driver {
namespace {

std::atomic<bool> ready{false};

}  // namespace

namespace tiny {

Status check_ready(const char* function) noexcept {
  if (ready.load(std::memory_order_acquire)) return Status::success;
  return fail(Status::not_initialized, "%s: initialize() has not succeeded", function);
}

Status check_device(const char* function, int device) noexcept {
  if (const Status status = check_ready(function); status != Status::success) return status;
  if (device == 0) return Status::success;
  return fail(Status::invalid_device, "%s: device %d does not exist, there is one", function, device);
}

}  // namespace tiny

// Hardware has as many devices as it has: the count that was asked for is the simulated one's affair.
Status initialize(const Config& config) noexcept {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (ready.load()) return Status::success;
  const auto capacity = config.memory_capacity == 0 ? std::size_t{4} << 30 : config.memory_capacity;
  const Status status = tiny::set_up_memory((capacity + tiny::granule - 1) / tiny::granule * tiny::granule);
  if (status == Status::success) ready.store(true, std::memory_order_release);
  return status;
}

Status device_count(int* count) noexcept {
  if (const Status status = tiny::check_ready("device_count"); status != Status::success) return status;
  if (count == nullptr) return fail_null("device_count", "count");
  *count = 1;
  return Status::success;
}

Status device_properties(int device, DeviceProperties* properties) noexcept {
  if (const Status status = tiny::check_device("device_properties", device); status != Status::success) return status;
  if (properties == nullptr) return fail_null("device_properties", "properties");
  *properties = {};
  std::snprintf(properties->name, sizeof(properties->name), "tiny");
  properties->memory_capacity = tiny::address_range().bytes;
  properties->allocation_granularity = tiny::granule;
  properties->address_base = tiny::address_range().base;
  properties->address_bytes = tiny::address_range().bytes;
  properties->host_addressable = false;
  return Status::success;
}

Status current_device(int* device) noexcept {
  if (const Status status = tiny::check_ready("current_device"); status != Status::success) return status;
  if (device == nullptr) return fail_null("current_device", "device");
  *device = 0;
  return Status::success;
}

Status set_current_device(int device) noexcept { return tiny::check_device("set_current_device", device); }

}  // namespace openreg::driver
