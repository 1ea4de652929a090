#pragma once

#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

#include <functional>

namespace openreg::test {

// Two functions behave alike: `on_device` gives the bits and strides of `on_cpu`, on openreg,
// or both throw the same text.
testing::AssertionResult alike(const std::function<at::Tensor()>& on_cpu, const std::function<at::Tensor()>& on_device);

}  // namespace openreg::test
