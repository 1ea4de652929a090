#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include "fallback/operator_info.h"

namespace openreg::fallback {

// Runs the operator's CPU kernel on the arguments on the stack, which it replaces by the results. No policy is
// asked. Throws what the kernel throws; arguments are then as the CPU kernel would leave them. `key` is CPU or
// QuantizedCPU.
void run_on_host(const OperatorInfo& info, Way way, torch::jit::Stack* stack,
                 c10::DispatchKey key = c10::DispatchKey::CPU);

// As run_on_host, unless the policy sends the call elsewhere: to stock's copying fallback, to the composite kernel
// when the operator is forbidden and has one, or to an error.
void run_by_policy(const OperatorInfo& info, Way way, torch::jit::Stack* stack);

// The kernel behind m.fallback: for every operator that has no other kernel for openreg.
void global_fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack);

// The kernel for operators that are sent to the CPU one by one: m.impl(name, boxed(&selective_fallback)). It runs
// also when the fallback is off.
void selective_fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack);

// For tests alone: called with each result of the fallback, to make a kernel wrong on purpose. Null at first.
using ResultHook = void (*)(at::Tensor& result);
void set_result_hook(ResultHook hook) noexcept;
bool has_result_hook() noexcept;

// The kernel behind m.fallback of the sparse, quantized and nested keys, where openreg has nothing.
void refuse_layout(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);

// For an operator that makes a nested tensor of dense ones. Its composite would make it on the device, and autograd,
// which must not throw there, asks such a tensor for its sizes: the process would end.
void refuse_nested_result(const c10::OperatorHandle& op, torch::jit::Stack* stack);

}  // namespace openreg::fallback
