#pragma once

#include <ATen/core/Generator.h>
#include <c10/core/Device.h>

namespace openreg::device {

// The device's default generator; -1 is the current device.
const at::Generator& default_generator(c10::DeviceIndex device = -1);

// A new generator of the device, seeded with libtorch's default seed.
at::Generator make_generator(c10::DeviceIndex device = -1);

// See Note [Device generators and their twins]. Throws when the generator is not of the device.
at::Generator host_twin(const at::Generator& generator, c10::Device device);

}  // namespace openreg::device
