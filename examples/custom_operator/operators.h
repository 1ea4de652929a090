#pragma once

#include <ATen/core/Tensor.h>

// The operators of this example as functions. Each is made in the file of the same section.
namespace example {

// forward_only.cpp: in which of the steps of this width each value lies
at::Tensor bucket(const at::Tensor& input, double width);

// forward_and_backward.cpp: x * sigmoid(x)
at::Tensor swish(const at::Tensor& input);

// autograd_function.cpp: sqrt(x^2 + 1) - 1
at::Tensor soft_abs(const at::Tensor& input);

// selective_fallback.cpp, global_fallback.cpp: made for the CPU alone
at::Tensor ranks(const at::Tensor& input);
at::Tensor reversed(const at::Tensor& input);

}  // namespace example
