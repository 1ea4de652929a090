#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

// The operators of the namespace openreg as functions, and what an operator of your own may be registered with.
// docs/operators.md says how each kind is made.
//
// Each operator takes CPU, openreg and meta tensors. The dispatcher knows it as openreg::NAME, and TorchScript that
// Python has saved as torch.ops.openreg.NAME. They throw c10::Error when openreg is disabled.
namespace openreg {

// |input|. Has no gradient: a backward pass that reaches it throws.
at::Tensor custom_abs(const at::Tensor& input);

// input / (1 + |input|), for floating point. Can be differentiated once.
at::Tensor custom_softsign(const at::Tensor& input);

// gradient / (1 + |input|)^2. Has no gradient itself.
at::Tensor custom_softsign_backward(const at::Tensor& gradient, const at::Tensor& input);

// input^3, for floating point. Can be differentiated any number of times.
at::Tensor custom_cube(const at::Tensor& input);

// The input itself, whose gradient is halved on the way back: a function that returns what it was given.
at::Tensor custom_autograd_fn_returns_self(const at::Tensor& input);

// A view of the input, whose gradient is halved on the way back: a function whose result aliases its argument.
at::Tensor custom_autograd_fn_aliasing(const at::Tensor& input);

// A boxed kernel: the operator's CPU kernel on the memory of openreg tensors, without a copy. For operators that are
// sent to the CPU one by one; it runs also when the fallback is off. Counts as Way::explicit_fallback.
//
//   TORCH_LIBRARY_IMPL(mine, PrivateUse1, m) {
//     m.impl("my_op", torch::CppFunction::makeFromBoxedFunction<&openreg::cpu_fallback>());
//   }
//
// Throws c10::NotImplementedError when the operator has no CPU kernel, and what the kernel throws.
void cpu_fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack);

}  // namespace openreg
