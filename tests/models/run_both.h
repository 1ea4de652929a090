#pragma once

#include <gtest/gtest.h>
#include <torch/script.h>

#include <vector>

namespace openreg::test {

// The tensors in a value: nested tuples, lists and dicts leaf by leaf, in order.
std::vector<at::Tensor> leaves(const c10::IValue& value);

// Every parameter and buffer of the module, and every tensor in the value, is on openreg.
testing::AssertionResult is_on_device(const torch::jit::Module& module);
testing::AssertionResult is_on_device(const c10::IValue& value);

// Runs the module on the CPU and its copy on the device three times, since TorchScript compiles at the second. The
// results are equal to the bit where only CPU kernels computed, and within 1e-5 where a kernel of openreg's own did.
void expect_same_on_both(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs);

}  // namespace openreg::test
