#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/stack.h>

#include <string>

#include "differential/hint_value.h"

namespace openreg::differential {

// The kind of an argument below optional and list: "Tensor", "int", "float", "bool", "number", "str", "dtype",
// "layout", "device", "memory_format", "generator", "storage"; "" for others.
struct ArgumentKind {
  std::string base;
  bool optional = false;  // the argument itself: Tensor?, int[]?
  bool list = false;
  bool optional_elements = false;  // Tensor?[]
};
ArgumentKind kind_of(const c10::Argument& argument);

// A value for an argument without a hint. `before` are the values of the arguments to its left.
c10::IValue default_value(const c10::Argument& argument, const torch::jit::Stack& before, SampleContext& context);

// The value in the form that the argument's type wants: 2 as 2.0, a tensor list as a list of optional tensors.
c10::IValue coerce(const c10::Argument& argument, c10::IValue value);

}  // namespace openreg::differential
