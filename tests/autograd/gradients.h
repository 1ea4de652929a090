#pragma once

#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

// These tests run on one thread (see gradients.cpp), so that sums are added in one order.
namespace openreg::test {

using Tensors = std::vector<at::Tensor>;
using Forward = std::function<at::Tensor(const Tensors&)>;

// The output of `forward` and the gradients of the inputs, with a different weight for each element of the output;
// `order` 2: the gradients of the gradients' squares.
Tensors output_and_gradients(const Forward& forward, const Tensors& inputs, c10::Device device, int order = 1);

// On the CPU and on openreg:1 they are the same: to the bit, or within `tolerance` when it is not 0.
testing::AssertionResult same_gradients(const Forward& forward, const Tensors& inputs, double tolerance = 0,
                                        int order = 1);

}  // namespace openreg::test
