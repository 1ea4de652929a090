#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

namespace openreg::ops {

// Kernels for the key AutocastPrivateUse1: each changes dtypes among the arguments on the stack and calls the
// operator again below autocast. See Note [Autocast in boxed kernels].

// All arguments in the region's dtype.
void cast_to_lower_precision(const c10::OperatorHandle& op, torch::jit::Stack* stack);

// All arguments in float.
void cast_to_float(const c10::OperatorHandle& op, torch::jit::Stack* stack);

// A `ScalarType? dtype` that the caller left open becomes float; the operator casts.
void set_dtype_to_float(const c10::OperatorHandle& op, torch::jit::Stack* stack);

// Float if one argument is, else the region's dtype.
void cast_to_widest(const c10::OperatorHandle& op, torch::jit::Stack* stack);

// An error that names the safe operator.
void refuse_under_autocast(const c10::OperatorHandle& op, torch::jit::Stack* stack);

// Calls `with_dtype` instead: an overload with the same arguments and a ScalarType after them, which is float.
class AppendFloat final : public c10::OperatorKernel {
 public:
  explicit AppendFloat(c10::OperatorHandle with_dtype) : with_dtype_(std::move(with_dtype)) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);

 private:
  c10::OperatorHandle with_dtype_;
};

// autocast_table.cpp
void register_autocast_operators();

}  // namespace openreg::ops
