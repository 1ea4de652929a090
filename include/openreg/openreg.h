#pragma once

#include <c10/core/Device.h>

#include <string>

// openreg: a PrivateUse1 backend for libtorch. Linking the target openreg::openreg is enough; no call is needed:
//
//   auto x = torch::ones({2, 3}, torch::Device("openreg"));
namespace openreg {

// Starts the devices now rather than at first use. Does nothing when they are started; may be called from any
// thread. Throws c10::Error when they cannot start: a bad OPENREG_ variable, no address space, a forked child,
// a library linked so that its registrations are lost.
void init();

// Devices there are. Starts them. Throws as init().
c10::DeviceIndex device_count();

// The calling thread's current device. Throws as init().
c10::DeviceIndex current_device();

// Makes a device current for the calling thread. Throws c10::Error, and keeps the current one, when it does not
// exist.
void set_current_device(c10::DeviceIndex device);

// Waits until all work queued on a device is done; -1 is the current device. Throws c10::Error when the device
// does not exist or when queued work failed.
void synchronize(c10::DeviceIndex device = -1);

// The device called `name`: "openreg" (the current one), "openreg:0" ... Unlike torch::Device it checks the index
// before c10 wraps it into 8 bits. Throws c10::Error that names the string and the count.
c10::Device parse_device(const std::string& name);

// This library's version, "0.1.0".
const char* version() noexcept;

// The libtorch that this library was built with, "2.6.0".
const char* libtorch_version() noexcept;

namespace detail {
// A program that includes this header and links the plain archive instead of openreg::openreg would lose the
// registrations, to which nothing refers: this does.
[[gnu::used]] inline void (*const keep_registrations)() = &init;
}  // namespace detail

}  // namespace openreg
