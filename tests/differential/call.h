#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <string>
#include <vector>

namespace openreg::differential {

// One call of an operator and what it left behind.
struct Call {
  torch::jit::Stack arguments;             // as the call left them
  std::vector<std::uint32_t> versions;     // of the tensors among the arguments, before
  std::vector<std::size_t> storage_bytes;  // of theirs, before
  std::vector<std::vector<std::int64_t>> sizes;
  std::vector<bool> on_cpu;  // whether they were there
  torch::jit::Stack results;
  bool threw = false;
  std::string error_type;  // "c10::IndexError"
  std::string error;       // first line of its text
  std::vector<std::string> warnings;
  bool same_kernels = true;  // nothing but CPU kernels computed
};

// Random numbers that are drawn from a default generator begin at `seed`.
Call call_operator(const c10::OperatorHandle& op, torch::jit::Stack arguments, std::uint64_t seed);

}  // namespace openreg::differential
