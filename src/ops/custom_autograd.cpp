#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/mul.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/csrc/autograd/variable.h>

#include "openreg/operators.h"
#include "ops/custom.h"

namespace openreg::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

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

// ---- forward and backward registered separately: a node that calls the backward operator ----

class CustomSoftsignBackward final : public torch::autograd::Node {
 public:
  explicit CustomSoftsignBackward(const at::Tensor& input) : input_(input, /*is_output=*/false) {
    set_next_edges(torch::autograd::collect_next_edges(input));
  }

  variable_list apply(variable_list&& gradients) override {
    if (!gradients[0].defined()) return {at::Tensor()};
    return {custom_softsign_backward(gradients[0], input_.unpack())};
  }

  std::string name() const override { return "CustomSoftsignBackward"; }
  void release_variables() override { input_.reset_data(); }

 private:
  torch::autograd::SavedVariable input_;
};

// ---- torch::autograd::Function: forward and backward in one class ----

struct CustomCube final : Function<CustomCube> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input) {
    context->save_for_backward({input});
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    return custom_cube(input);
  }

  // Made of operators that have gradients, so it can be differentiated in turn.
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto input = context->get_saved_variables()[0];
    return {at::mul(gradients[0], at::mul(at::mul(input, input), 3))};
  }
};

// The next two only show what becomes of an argument that comes back: the engine makes a view of it.
struct ReturnsSelf final : Function<ReturnsSelf> {
  static at::Tensor forward(AutogradContext*, const at::Tensor& input) { return input; }
  static variable_list backward(AutogradContext*, const variable_list& gradients) {
    return {at::mul(gradients[0], 0.5)};
  }
};

struct Aliasing final : Function<Aliasing> {
  static at::Tensor forward(AutogradContext*, const at::Tensor& input) {
    const at::AutoDispatchBelowAutograd below_autograd;  // keeps the key under which views are tracked
    return input.view_as(input);
  }
  static variable_list backward(AutogradContext*, const variable_list& gradients) {
    return {at::mul(gradients[0], 0.5)};
  }
};

}  // namespace

at::Tensor custom_softsign_autograd(const at::Tensor& input) {
  TORCH_CHECK_NOT_IMPLEMENTED(!input._fw_grad(/*level=*/0).defined(),
                              "openreg::custom_softsign has no forward-mode derivative.");
  auto output = [&] {
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    return custom_softsign(input);
  }();
  if (c10::GradMode::is_enabled() && input.requires_grad()) {
    torch::autograd::set_history(output, make_node<CustomSoftsignBackward>(input));
  }
  return output;
}

at::Tensor custom_cube_autograd(const at::Tensor& input) { return CustomCube::apply(input); }

at::Tensor custom_autograd_fn_returns_self_autograd(const at::Tensor& input) { return ReturnsSelf::apply(input); }

at::Tensor custom_autograd_fn_aliasing_autograd(const at::Tensor& input) { return Aliasing::apply(input); }

at::Tensor custom_returns_self_any(const at::Tensor& input) { return input; }

at::Tensor custom_aliasing_any(const at::Tensor& input) { return input.view_as(input); }

}  // namespace openreg::ops
