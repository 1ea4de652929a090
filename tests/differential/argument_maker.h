#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <string>

namespace openreg::differential {

// The arguments of one call, on the CPU. A pure function of operator, seed and number, for one libtorch.
struct Sample {
  torch::jit::Stack arguments;
  at::ScalarType dtype = at::kFloat;  // of the tensors that nothing else was asked of
};

// May call the operator's functional overload on the CPU, to learn what an out= tensor looks like.
// Throws c10::Error, with the reason, when an argument's type has no values here.
Sample make_sample(const c10::OperatorHandle& op, std::uint64_t seed, int number);

// Why no sample of the operator can be made: "takes a Stream". Empty when one can.
std::string cannot_make(const c10::FunctionSchema& schema);

bool is_out_argument(const c10::Argument& argument);

}  // namespace openreg::differential
