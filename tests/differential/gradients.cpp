#include "differential/gradients.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include "differential/argument_maker.h"
#include "differential/arguments.h"
#include "differential/random_source.h"
#include "openreg/fallback.h"
#include "support/ledger.h"

namespace openreg::differential {
namespace {

// A fresh tensor that an in-place operator may write: leaves may not be written.
torch::jit::Stack writable(const c10::FunctionSchema& schema, torch::jit::Stack arguments) {
  const auto clone = [](const at::Tensor& tensor) { return tensor.defined() ? tensor.clone() : tensor; };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto* alias = schema.arguments()[i].alias_info();
    if (alias == nullptr || !alias->isWrite()) continue;
    auto& value = arguments[i];
    if (value.isTensor()) {
      value = clone(value.toTensor());
    } else if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const auto& tensor : value.toTensorVector()) list.push_back(clone(tensor));
      value = list;
    }
  }
  return arguments;
}

at::Tensor random_gradient(const at::Tensor& result, RandomSource& random) {
  auto values = at::empty(result.sizes(), at::kDouble);
  auto* data = values.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < values.numel(); ++i) data[i] = static_cast<double>(random.between(-16, 16)) / 8;
  return values.to(result.scalar_type()).to(result.device());
}

// The gradients as the results of a call, the inputs as its arguments.
Call backward(const c10::OperatorHandle& op, const torch::jit::Stack& arguments, c10::Device device,
              std::uint64_t seed) {
  std::vector<at::Tensor> leaves;
  auto call = call_operator(op, writable(op.schema(), copy_arguments(op.schema(), arguments, device, &leaves)), seed);
  std::vector<at::Tensor> inputs;
  std::vector<at::Tensor> outputs;
  std::vector<at::Tensor> gradients;
  RandomSource random(seed);
  for (const auto& leaf : leaves) {
    if (leaf.defined()) inputs.push_back(leaf);
  }
  for (const auto& result : tensors_in(call.results)) {
    if (!result.defined() || !result.requires_grad()) continue;
    outputs.push_back(result);
    gradients.push_back(random_gradient(result, random));
  }
  call.arguments.clear();
  call.results.clear();
  call.warnings.clear();
  if (call.threw || outputs.empty() || inputs.empty()) return call;
  const openreg::LedgerScope ledger;
  try {
    for (auto& gradient : torch::autograd::grad(outputs, inputs, gradients, false, false, true)) {
      call.results.emplace_back(std::move(gradient));
    }
  } catch (const std::exception& error) {
    call.threw = true;
    call.error = error.what();
    call.error = call.error.substr(0, call.error.find('\n'));
  }
  call.same_kernels = call.same_kernels && openreg::test::only_cpu_kernels_computed(ledger);
  return call;
}

}  // namespace

std::vector<std::string> compare_gradients(const c10::OperatorHandle& op, const torch::jit::Stack& arguments,
                                           std::uint64_t seed, const CompareRules& rules) {
  const at::AutoGradMode grad(true);
  const auto cpu = backward(op, arguments, c10::kCPU, seed);
  const auto device = backward(op, arguments, c10::Device("openreg:0"), seed);
  auto lines = compare_calls(cpu, device, rules);
  for (auto& line : lines) line = "gradients: " + line;
  return lines;
}

}  // namespace openreg::differential
