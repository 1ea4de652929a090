#include "device/runtime.h"

#include <c10/util/Exception.h>
#include <pthread.h>
#include <unistd.h>

#include <mutex>

#include "device/driver/driver.h"
#include "device/driver_check.h"
#include "device/environment.h"

namespace openreg::device {
namespace detail {

constinit std::atomic<State> state{State::cold};
constinit std::ptrdiff_t host_distance = 0;
constinit std::uintptr_t device_range_base = 0;
constinit std::size_t device_range_bytes = 0;

namespace {

constinit int count = 0;
using Action = void (*)();
constinit Action first_use_action = nullptr;

void become_unusable_after_fork() {
  if (state.load(std::memory_order_relaxed) == State::ready) {
    state.store(State::forked, std::memory_order_relaxed);
  }
}

// A device that the host cannot address has no distance: everything is staged through the driver's copies.
void read_address_range() {
  driver::DeviceProperties first{};
  driver::DeviceProperties last{};
  check(driver::device_properties(0, &first));
  check(driver::device_properties(count - 1, &last));
  device_range_base = first.address_base;
  device_range_bytes = last.address_base + last.address_bytes - first.address_base;
  host_distance = first.host_addressable ? first.host_distance : 0;
}

}  // namespace

void initialize_slow() {
  // Note [Device use after fork]
  // The child of a process that used the device has none of its threads: the driver's stream workers, OpenMP's
  // and the autograd engine's. Using the device there would hang sooner or later, so it is refused at once.
  TORCH_CHECK(state.load(std::memory_order_acquire) != State::forked,
              "openreg cannot be used in a forked child (process ", getpid(),
              "): its parent had already used the device. Fork before the first use, or start the child with exec.");
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (state.load(std::memory_order_relaxed) != State::cold) {
    return;
  }
  driver::Config config;
  config.device_count = environment().device_count;
  config.memory_capacity = environment().memory_limit;
  check(driver::initialize(config));
  check(driver::device_count(&count));
  read_address_range();
  if (first_use_action != nullptr) {
    first_use_action();
  }
  pthread_atfork(nullptr, nullptr, become_unusable_after_fork);
  state.store(State::ready, std::memory_order_release);
}

}  // namespace detail

void set_first_use_action(void (*action)()) { detail::first_use_action = action; }

c10::DeviceIndex device_count() {
  ensure_initialized();
  return static_cast<c10::DeviceIndex>(detail::count);
}

c10::DeviceIndex current_device() {
  ensure_initialized();
  int index = 0;
  check(driver::current_device(&index));
  return static_cast<c10::DeviceIndex>(index);
}

void check_device_index(c10::DeviceIndex index) {
  ensure_initialized();
  TORCH_CHECK(index >= 0 && index < detail::count, kBackendName, ":", static_cast<int>(index),
              " does not exist: there ",
              detail::count == 1 ? "is 1 device" : "are " + std::to_string(detail::count) + " devices", " (",
              kBackendName, ":0 to ", kBackendName, ":", detail::count - 1,
              "). c10 keeps a device index in 8 bits, so an index above 127 arrives as another number. "
              "OPENREG_DEVICE_COUNT sets the count, 1 to ",
              driver::max_device_count, ".");
}

void set_current_device(c10::DeviceIndex index) {
  check_device_index(index);
  check(driver::set_current_device(index));
}

c10::Device resolve_device(c10::Device device) {
  if (!device.has_index()) {
    return {kDeviceType, current_device()};
  }
  check_device_index(device.index());
  return device;
}

void synchronize(c10::DeviceIndex index) {
  check(driver::device_synchronize(resolve_device({kDeviceType, index}).index()));
}

}  // namespace openreg::device
