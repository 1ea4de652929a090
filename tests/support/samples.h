#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

// Tensors in every dtype, shape and layout, on the CPU and the same on the device.
namespace openreg::test {

// openreg:`index`
c10::Device device(int index = 0);

// 0, 1, ... n - 1 as floats.
at::Tensor counting(std::int64_t n, c10::Device where = device());

// Every dtype that a strided tensor can have, but for the quantized ones.
const std::vector<at::ScalarType>& all_dtypes();

// 0-dim, empty, one to four dimensions.
const std::vector<std::vector<std::int64_t>>& all_shapes();

// Values that tell elements apart; floating ones also have both zeros, both infinities and NaNs of both signs.
at::Tensor values(c10::IntArrayRef shape, at::ScalarType dtype);

struct Sample {
  std::string name;  // "float32 [2, 3] transposed"
  at::Tensor cpu;
  at::Tensor device;  // the same bits, sizes and strides on openreg:0, in a storage of its own
};

// Every layout of this shape and dtype that exists: contiguous, transposed, stepped, offset, channels last, expanded,
// conjugated, negated.
std::vector<Sample> layouts_of(c10::IntArrayRef shape, at::ScalarType dtype);

// layouts_of for every dtype and shape.
std::vector<Sample> all_samples();

}  // namespace openreg::test
