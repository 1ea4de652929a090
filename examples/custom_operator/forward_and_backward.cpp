// Forward and backward registered separately: two operators with kernels, and a node that joins them.
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>
#include <c10/util/intrusive_ptr.h>
#include <openreg/host_view.h>
#include <torch/csrc/autograd/autograd_not_implemented_fallback.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/library.h>

#include <cmath>
#include <memory>
#include <type_traits>

#include "operators.h"

namespace example {
namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double swish_of(double x) { return x * sigmoid(x); }
double swish_slope(double x) { return sigmoid(x) * (1 + x * (1 - sigmoid(x))); }

// On CPU tensors. `gradient` is left out in the forward pass.
void compute(const at::Tensor& output, const at::Tensor& input, const at::Tensor& gradient = {}) {
  TORCH_CHECK(input.scalar_type() == at::kDouble, "swish takes double tensors, not ", input.scalar_type(), ".");
  const auto values = input.contiguous();
  const auto slopes = gradient.defined() ? gradient.contiguous() : gradient;
  const auto* const x = values.const_data_ptr<double>();
  const auto* const grad = gradient.defined() ? slopes.const_data_ptr<double>() : nullptr;
  auto* const out = output.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < input.numel(); ++i) {
    out[i] = grad == nullptr ? swish_of(x[i]) : grad[i] * swish_slope(x[i]);
  }
}

at::Tensor like(const at::Tensor& input) { return at::empty(input.sizes(), input.options()); }

at::Tensor swish_cpu(const at::Tensor& input) {
  auto output = like(input);
  compute(output, input);
  return output;
}

at::Tensor swish_openreg(const at::Tensor& input) {
  auto output = like(input);
  compute(openreg::MutableHostView(output).tensor(), openreg::HostView(input).tensor());
  return output;
}

at::Tensor swish_backward_cpu(const at::Tensor& gradient, const at::Tensor& input) {
  auto output = like(input);
  compute(output, input, gradient);
  return output;
}

at::Tensor swish_backward_openreg(const at::Tensor& gradient, const at::Tensor& input) {
  auto output = like(input);
  compute(openreg::MutableHostView(output).tensor(), openreg::HostView(input).tensor(),
          openreg::HostView(gradient).tensor());
  return output;
}

at::Tensor swish_backward(const at::Tensor& gradient, const at::Tensor& input) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("example::swish_backward", "")
                             .typed<at::Tensor(const at::Tensor&, const at::Tensor&)>();
  return op.call(gradient, input);
}

class SwishBackward final : public torch::autograd::Node {
 public:
  explicit SwishBackward(const at::Tensor& input) : input_(input, /*is_output=*/false) {
    set_next_edges(torch::autograd::collect_next_edges(input));
  }
  torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients) override {
    if (!gradients[0].defined()) return {at::Tensor()};
    return {swish_backward(gradients[0], input_.unpack())};
  }
  void release_variables() override { input_.reset_data(); }

 private:
  torch::autograd::SavedVariable input_;  // notices when the input is overwritten in between
};

// libtorch 2.6 shares nodes by shared_ptr, and its deleteNode takes long chains of them apart without recursion. Newer
// ones count references in the node.
template <typename Node, typename... Arguments>
auto make_node(const Arguments&... arguments) {
  if constexpr (std::is_base_of_v<c10::intrusive_ptr_target, Node>) {
    return c10::make_intrusive<Node>(arguments...);
  } else {
    return std::shared_ptr<Node>(new Node(arguments...), [](Node* node) { deleteNode(node); });
  }
}

at::Tensor swish_autograd(const at::Tensor& input) {
  auto output = [&] {
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    return swish(input);
  }();
  if (c10::GradMode::is_enabled() && input.requires_grad()) {
    torch::autograd::set_history(output, make_node<SwishBackward>(input));
  }
  return output;
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(example, m) {
  m.def("swish(Tensor input) -> Tensor");
  m.def("swish_backward(Tensor gradient, Tensor input) -> Tensor");
}
TORCH_LIBRARY_IMPL(example, CPU, m) {
  m.impl("swish", swish_cpu);
  m.impl("swish_backward", swish_backward_cpu);
}
TORCH_LIBRARY_IMPL(example, PrivateUse1, m) {
  m.impl("swish", swish_openreg);
  m.impl("swish_backward", swish_backward_openreg);
}
TORCH_LIBRARY_IMPL(example, Autograd, m) {
  m.impl("swish", swish_autograd);
  m.impl("swish_backward", torch::autograd::autogradNotImplementedFallback());
}

at::Tensor swish(const at::Tensor& input) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("example::swish", "").typed<at::Tensor(const at::Tensor&)>();
  return op.call(input);
}

}  // namespace example
