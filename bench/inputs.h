#pragma once

#include <ATen/core/Tensor.h>

namespace openreg::bench {

// Random numbers on the CPU or on openreg's first device.
at::Tensor random(at::IntArrayRef sizes, bool on_device);

// The device of a case.
at::Device device_of(bool on_device);

}  // namespace openreg::bench
