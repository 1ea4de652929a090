#include "support/gradcheck.h"

#include <torch/torch.h>

namespace openreg::test {
namespace {

using Tensors = std::vector<at::Tensor>;

// Another weight for each element: a gradient in the wrong place shows.
at::Tensor weighted_sum(const at::Tensor& output) {
  return (output.cpu() * at::cos(at::arange(output.numel(), at::kDouble)).view(output.sizes())).sum();
}

}  // namespace

testing::AssertionResult gradcheck(const std::function<at::Tensor(const Tensors&)>& f, const Tensors& inputs) {
  constexpr double step = 1e-6;
  constexpr double tolerance = 1e-6;
  Tensors leaves;
  for (const auto& input : inputs) leaves.push_back(input.detach().clone().requires_grad_());
  const auto gradients = torch::autograd::grad({weighted_sum(f(leaves))}, leaves);
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (gradients[i].device() != inputs[i].device() || gradients[i].sizes() != inputs[i].sizes()) {
      return testing::AssertionFailure() << "gradient " << i << " is " << gradients[i].toString()
                                         << gradients[i].sizes();
    }
    const auto gradient = gradients[i].cpu().contiguous();
    for (std::int64_t j = 0; j < inputs[i].numel(); ++j) {
      const auto moved = [&](double by) {
        auto values = inputs;
        auto flat = inputs[i].cpu().contiguous().clone();
        flat.data_ptr<double>()[j] += by;
        values[i] = flat.to(inputs[i].device());
        return weighted_sum(f(values)).item<double>();
      };
      const auto numeric = (moved(step) - moved(-step)) / (2 * step);
      const auto analytic = gradient.const_data_ptr<double>()[j];
      if (!(std::abs(numeric - analytic) <= tolerance * (1 + std::abs(numeric)))) {
        return testing::AssertionFailure()
               << "gradient " << i << ", element " << j << ": " << analytic << ", by differences " << numeric;
      }
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace openreg::test
