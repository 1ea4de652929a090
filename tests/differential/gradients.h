#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <string>
#include <vector>

#include "differential/compare_calls.h"

namespace openreg::differential {

// Calls the operator on the CPU and on openreg with arguments that require gradients, goes backward from all results
// with the same random numbers, and compares the gradients and their errors. One line a difference.
std::vector<std::string> compare_gradients(const c10::OperatorHandle& op, const torch::jit::Stack& arguments,
                                           std::uint64_t seed, const CompareRules& rules);

}  // namespace openreg::differential
