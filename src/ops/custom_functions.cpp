#include "fallback/boxed.h"
#include "openreg/operators.h"

namespace openreg {
namespace {

template <typename... Tensors>
at::Tensor call(const c10::OperatorHandle& op, const Tensors&... tensors) {
  return op.typed<at::Tensor(const Tensors&...)>().call(tensors...);
}

c10::OperatorHandle find(const char* name) { return c10::Dispatcher::singleton().findSchemaOrThrow(name, ""); }

}  // namespace

at::Tensor custom_abs(const at::Tensor& input) {
  static const auto op = find("openreg::custom_abs");
  return call(op, input);
}

at::Tensor custom_softsign(const at::Tensor& input) {
  static const auto op = find("openreg::custom_softsign");
  return call(op, input);
}

at::Tensor custom_softsign_backward(const at::Tensor& gradient, const at::Tensor& input) {
  static const auto op = find("openreg::custom_softsign_backward");
  return call(op, gradient, input);
}

at::Tensor custom_cube(const at::Tensor& input) {
  static const auto op = find("openreg::custom_cube");
  return call(op, input);
}

at::Tensor custom_autograd_fn_returns_self(const at::Tensor& input) {
  static const auto op = find("openreg::custom_autograd_fn_returns_self");
  return call(op, input);
}

at::Tensor custom_autograd_fn_aliasing(const at::Tensor& input) {
  static const auto op = find("openreg::custom_autograd_fn_aliasing");
  return call(op, input);
}

void cpu_fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack) { fallback::selective_fallback(op, stack); }

}  // namespace openreg
