#include "autograd/gradients.h"

#include <torch/torch.h>

#include "support/compare.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

// Before the first backward: the engine's threads, one a device, keep the count that was set when they started.
struct OneThread : testing::Environment {
  void SetUp() override { at::set_num_threads(1); }
};

[[maybe_unused]] const auto* const one_thread = testing::AddGlobalTestEnvironment(new OneThread);

}  // namespace

Tensors output_and_gradients(const Forward& forward, const Tensors& inputs, c10::Device device, int order) {
  Tensors moved;
  for (const auto& input : inputs) {
    moved.push_back(input.detach().clone().to(device).requires_grad_(at::isFloatingType(input.scalar_type())));
  }
  Tensors wanted;
  for (const auto& input : moved) {
    if (input.requires_grad()) wanted.push_back(input);
  }
  const auto output = forward(moved);
  const auto weights = at::arange(output.numel(), at::kDouble).cos().view(output.sizes());
  const auto weighted = (output * weights.to(output.scalar_type()).to(device)).sum();
  auto gradients = torch::autograd::grad({weighted}, wanted, {}, true, order == 2, true);
  if (order == 2) {
    auto squares = at::zeros({}, output.options());
    for (const auto& gradient : gradients) {
      if (gradient.defined() && gradient.requires_grad()) squares = squares + gradient.square().sum();
    }
    gradients = torch::autograd::grad({squares}, wanted, {}, false, false, true);
  }
  gradients.insert(gradients.begin(), output);
  return gradients;
}

testing::AssertionResult same_gradients(const Forward& forward, const Tensors& inputs, double tolerance, int order) {
  torch::manual_seed(1);
  const auto expected = output_and_gradients(forward, inputs, at::kCPU, order);
  torch::manual_seed(1);
  const auto actual = output_and_gradients(forward, inputs, device(1), order);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto what = i == 0 ? std::string("the output: ") : "gradient " + std::to_string(i - 1) + ": ";
    if (expected[i].defined() != actual[i].defined()) return testing::AssertionFailure() << what << "one is undefined";
    if (!expected[i].defined()) continue;
    if (actual[i].device() != device(1)) return testing::AssertionFailure() << what << "is on " << actual[i].device();
    const auto same = tolerance == 0 ? same_bits(expected[i].detach(), actual[i].detach())
                                     : close_to(expected[i].detach(), actual[i].detach(), tolerance);
    if (!same) return testing::AssertionFailure() << what << same.message();
  }
  return testing::AssertionSuccess();
}

}  // namespace openreg::test
