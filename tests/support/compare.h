#pragma once

#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

// Comparisons of tensors, made on the CPU whatever their devices are. A failure says what differs and where.
namespace openreg::test {

// Same dtype, sizes and bits: NaNs must have the same sign and payload, zeros the same sign.
testing::AssertionResult same_bits(const at::Tensor& expected, const at::Tensor& actual);

// Same dtype and sizes, each pair within `tolerance` (absolute and relative), NaN and infinities equal in kind.
testing::AssertionResult close_to(const at::Tensor& expected, const at::Tensor& actual, double tolerance);

// `actual` is on openreg, and has the bits, sizes and strides of `expected`.
testing::AssertionResult same_on_device(const at::Tensor& expected, const at::Tensor& actual);

// Both share one storage.
testing::AssertionResult shares_storage(const at::Tensor& a, const at::Tensor& b);

}  // namespace openreg::test
