#pragma once

#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace openreg::test {

// The gradients of a weighted sum of f's output, against central differences of each input element. The inputs are
// double tensors; f is called with them on their devices.
testing::AssertionResult gradcheck(const std::function<at::Tensor(const std::vector<at::Tensor>&)>& f,
                                   const std::vector<at::Tensor>& inputs);

}  // namespace openreg::test
