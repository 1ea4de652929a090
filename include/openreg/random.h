#pragma once

#include <ATen/core/Generator.h>
#include <c10/core/Device.h>

#include <cstdint>

// Random numbers. Each device has a generator of its own, whose values are those of a CPU generator with the same
// seed; drawing on a device never moves the CPU's. A call that is given a generator of another device throws
// c10::Error. All functions may be called from any thread and start the devices.
namespace openreg {

// Seeds a device's default generator; -1 is the current device. torch::manual_seed does this for every device in
// newer versions of libtorch, but not in 2.6. Throws c10::Error when the device does not exist.
void manual_seed(std::uint64_t seed, c10::DeviceIndex device = -1);

// Seeds the default generators of all devices, each with the same seed.
void manual_seed_all(std::uint64_t seed);

// The device's default generator: its seed and state may be read and set. Throws as manual_seed.
at::Generator default_generator(c10::DeviceIndex device = -1);

// A generator of its own for a device, seeded with libtorch's default seed. Throws as manual_seed.
at::Generator make_generator(c10::DeviceIndex device = -1);

}  // namespace openreg
