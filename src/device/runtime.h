#pragma once

#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/macros/Macros.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

// The devices as c10 sees them: the driver started once, its answers turned into exceptions.
namespace openreg::device {

inline constexpr c10::DeviceType kDeviceType = c10::DeviceType::PrivateUse1;

// The backend's name. It is said in src/device/name.cpp alone, so that a rename compiles one file.
extern const char* const kBackendName;

namespace detail {

enum class State : int { cold, ready, forked };
extern std::atomic<State> state;
extern std::ptrdiff_t host_distance;
extern std::uintptr_t device_range_base;
extern std::size_t device_range_bytes;
void initialize_slow();

}  // namespace detail

// Runs once, right after the driver has started and before the first tensor exists. Set before main.
void set_first_use_action(void (*action)());

// Starts the driver at first use. Throws c10::Error when a variable, the address space or a fork forbids it.
inline void ensure_initialized() {
  if (C10_UNLIKELY(detail::state.load(std::memory_order_acquire) != detail::State::ready)) {
    detail::initialize_slow();
  }
}

inline bool is_initialized() noexcept { return detail::state.load(std::memory_order_acquire) == detail::State::ready; }

c10::DeviceIndex device_count();
c10::DeviceIndex current_device();

// Throws when index is outside [0, device_count); the current device then stays.
void set_current_device(c10::DeviceIndex index);

// Throws c10::Error that names the index and the count.
void check_device_index(c10::DeviceIndex index);

// The device meant by an index that may be -1 (the current one), checked.
c10::Device resolve_device(c10::Device device);

// Waits for everything queued on a device; index -1 is the current one.
void synchronize(c10::DeviceIndex index = -1);

// Device bytes are read and written by the CPU at address + host_distance(). Valid once initialized.
inline std::ptrdiff_t host_distance() noexcept { return detail::host_distance; }

inline void* to_host(const void* device_address) noexcept {
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(device_address) +
                                 static_cast<std::uintptr_t>(detail::host_distance));
}

inline void* to_device(const void* host_address) noexcept {
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(host_address) -
                                 static_cast<std::uintptr_t>(detail::host_distance));
}

// True for addresses that tensors hold.
inline bool is_device_address(const void* address) noexcept {
  return reinterpret_cast<std::uintptr_t>(address) - detail::device_range_base < detail::device_range_bytes;
}

// True for the addresses at which the CPU reaches device bytes.
inline bool is_backing_address(const void* address) noexcept {
  return detail::host_distance != 0 && is_device_address(to_device(address));
}

}  // namespace openreg::device
