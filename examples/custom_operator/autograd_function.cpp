// Forward and backward in one class, torch::autograd::Function. The backward pass is made of operators that have
// gradients themselves, so it can be differentiated again.
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/empty.h>
#include <openreg/host_view.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <cmath>

#include "operators.h"

namespace example {
namespace {

void compute_soft_abs(const at::Tensor& output, const at::Tensor& input) {
  TORCH_CHECK(input.scalar_type() == at::kDouble, "soft_abs takes double tensors, not ", input.scalar_type(), ".");
  const auto values = input.contiguous();
  const auto* const x = values.const_data_ptr<double>();
  auto* const out = output.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < input.numel(); ++i) {
    out[i] = std::hypot(x[i], 1.0) - 1;
  }
}

at::Tensor soft_abs_cpu(const at::Tensor& input) {
  auto output = at::empty(input.sizes(), input.options());
  compute_soft_abs(output, input);
  return output;
}

at::Tensor soft_abs_openreg(const at::Tensor& input) {
  auto output = at::empty(input.sizes(), input.options());
  compute_soft_abs(openreg::MutableHostView(output).tensor(), openreg::HostView(input).tensor());
  return output;
}

struct SoftAbs : torch::autograd::Function<SoftAbs> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input) {
    context->save_for_backward({input});
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    return soft_abs(input);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const auto input = context->get_saved_variables()[0];
    return {gradients[0].mul(input).div(input.mul(input).add(1).sqrt())};
  }
};

at::Tensor soft_abs_autograd(const at::Tensor& input) { return SoftAbs::apply(input); }

}  // namespace

TORCH_LIBRARY_FRAGMENT(example, m) { m.def("soft_abs(Tensor input) -> Tensor"); }
TORCH_LIBRARY_IMPL(example, CPU, m) { m.impl("soft_abs", soft_abs_cpu); }
TORCH_LIBRARY_IMPL(example, PrivateUse1, m) { m.impl("soft_abs", soft_abs_openreg); }
TORCH_LIBRARY_IMPL(example, Autograd, m) { m.impl("soft_abs", soft_abs_autograd); }

at::Tensor soft_abs(const at::Tensor& input) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("example::soft_abs", "").typed<at::Tensor(const at::Tensor&)>();
  return op.call(input);
}

}  // namespace example
