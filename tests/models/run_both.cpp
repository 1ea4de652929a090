#include "models/run_both.h"

#include <openreg/fallback.h>

#include "models/built_models.h"
#include "support/compare.h"
#include "support/ledger.h"
#include "support/samples.h"

namespace openreg::test {

std::vector<at::Tensor> leaves(const c10::IValue& value) {
  std::vector<at::Tensor> found;
  const auto add = [&](const c10::IValue& element) {
    const auto inner = leaves(element);
    found.insert(found.end(), inner.begin(), inner.end());
  };
  if (value.isTensor()) {
    found.push_back(value.toTensor());
  } else if (value.isTuple()) {
    for (const auto& element : value.toTupleRef().elements()) add(element);
  } else if (value.isList()) {
    for (const c10::IValue& element : value.toListRef()) add(element);
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) add(entry.value());
  }
  return found;
}

testing::AssertionResult is_on_device(const torch::jit::Module& module) {
  for (const auto& parameter : module.named_parameters()) {
    if (!parameter.value.device().is_privateuseone()) {
      return testing::AssertionFailure() << "parameter " << parameter.name << " is on " << parameter.value.device();
    }
  }
  for (const auto& buffer : module.named_buffers()) {
    if (!buffer.value.device().is_privateuseone()) {
      return testing::AssertionFailure() << "buffer " << buffer.name << " is on " << buffer.value.device();
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult is_on_device(const c10::IValue& value) {
  for (const auto& tensor : leaves(value)) {
    if (!tensor.device().is_privateuseone()) {
      return testing::AssertionFailure() << "a result is on " << tensor.device();
    }
  }
  return testing::AssertionSuccess();
}

void expect_same_on_both(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs) {
  const torch::NoGradGuard no_grad;
  auto on_cpu = module.clone();
  auto on_device = module.clone();
  on_device.to(device());
  ASSERT_TRUE(is_on_device(on_device));
  std::vector<c10::IValue> device_inputs;
  for (const auto& input : inputs) device_inputs.push_back(moved(input, device()));
  for (int round = 0; round < 3; ++round) {
    const auto expected = leaves(on_cpu.forward(inputs));
    const LedgerScope ledger;
    const auto result = on_device.forward(device_inputs);
    EXPECT_TRUE(is_on_device(result));
    const bool exact = only_cpu_kernels_computed(ledger);
    EXPECT_FALSE(ledger.entries().empty());
    const auto actual = leaves(result);
    ASSERT_EQ(expected.size(), actual.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(exact ? same_bits(expected[i], actual[i]) : close_to(expected[i], actual[i], 1e-5))
          << "result " << i << " of run " << round << '\n'
          << ledger_table(ledger.entries());
    }
  }
}

}  // namespace openreg::test
