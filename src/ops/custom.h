#pragma once

#include <ATen/core/Tensor.h>

// The namespace openreg of operators: one or more of each kind that there is, to copy. See docs/operators.md.
//   forward only                         custom_abs
//   forward and backward, each its own   custom_softsign, custom_softsign_backward
//   torch::autograd::Function            custom_cube, custom_autograd_fn_returns_self, custom_autograd_fn_aliasing
namespace openreg::ops {

// ---- custom.cpp: kernels; _cpu for host memory, _device for openreg -------------------------------------------

at::Tensor custom_abs_any(const at::Tensor& input);  // of other operators, for any device

at::Tensor custom_softsign_cpu(const at::Tensor& input);
at::Tensor custom_softsign_device(const at::Tensor& input);
at::Tensor custom_softsign_backward_cpu(const at::Tensor& gradient, const at::Tensor& input);
at::Tensor custom_softsign_backward_device(const at::Tensor& gradient, const at::Tensor& input);

at::Tensor custom_cube_cpu(const at::Tensor& input);
at::Tensor custom_cube_device(const at::Tensor& input);

at::Tensor custom_elementwise_meta(const at::Tensor& input);  // sizes and dtype of the result, and no data
at::Tensor custom_abs_meta(const at::Tensor& input);

// ---- custom_autograd.cpp: what runs first when a tensor may need a gradient ---------------------------------------

at::Tensor custom_softsign_autograd(const at::Tensor& input);
at::Tensor custom_cube_autograd(const at::Tensor& input);
at::Tensor custom_autograd_fn_returns_self_autograd(const at::Tensor& input);
at::Tensor custom_autograd_fn_aliasing_autograd(const at::Tensor& input);

// Without autograd: inference mode.
at::Tensor custom_returns_self_any(const at::Tensor& input);
at::Tensor custom_aliasing_any(const at::Tensor& input);

// ---- custom_table.cpp ---------------------------------------------------------------------------------------------

// The schemas, and each kernel at its key.
void register_custom_operators();

}  // namespace openreg::ops
