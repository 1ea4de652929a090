#include <torch/csrc/autograd/autograd_not_implemented_fallback.h>

#include "fallback/operator_record.h"
#include "library.h"
#include "ops/custom.h"

namespace openreg::ops {
namespace {

using c10::DispatchKey;

at::Tensor wrapper_custom_abs(const at::Tensor& input) {
  static auto& record = fallback::operator_record("openreg::custom_abs");
  const fallback::LedgerTimer timer(record, Way::native);
  return custom_abs_any(input);
}

at::Tensor wrapper_custom_softsign(const at::Tensor& input) {
  static auto& record = fallback::operator_record("openreg::custom_softsign");
  const fallback::LedgerTimer timer(record, Way::native);
  return custom_softsign_device(input);
}

at::Tensor wrapper_custom_softsign_backward(const at::Tensor& gradient, const at::Tensor& input) {
  static auto& record = fallback::operator_record("openreg::custom_softsign_backward");
  const fallback::LedgerTimer timer(record, Way::native);
  return custom_softsign_backward_device(gradient, input);
}

at::Tensor wrapper_custom_cube(const at::Tensor& input) {
  static auto& record = fallback::operator_record("openreg::custom_cube");
  const fallback::LedgerTimer timer(record, Way::native);
  return custom_cube_device(input);
}

at::Tensor custom_softsign_backward_meta(const at::Tensor&, const at::Tensor& input) {
  return custom_elementwise_meta(input);
}

// As TORCH_LIBRARY_FRAGMENT(openreg, m) would: programs may add operators to the namespace in the same way.
void define_custom_operators() {
  auto& openreg = keep(std::make_unique<torch::Library>(torch::Library::FRAGMENT, "openreg", std::nullopt,
                                                        source_path(__FILE__), __LINE__));
  openreg.def("custom_abs(Tensor input) -> Tensor");
  openreg.def("custom_softsign(Tensor input) -> Tensor");
  openreg.def("custom_softsign_backward(Tensor gradient, Tensor input) -> Tensor");
  openreg.def("custom_cube(Tensor input) -> Tensor");
  openreg.def("custom_autograd_fn_returns_self(Tensor input) -> Tensor");
  openreg.def("custom_autograd_fn_aliasing(Tensor(a) input) -> Tensor(a)");
}

}  // namespace

void register_custom_operators() {
  define_custom_operators();

  auto& device = library("openreg", DispatchKey::PrivateUse1);
  device.impl("custom_abs", wrapper_custom_abs);
  device.impl("custom_softsign", wrapper_custom_softsign);
  device.impl("custom_softsign_backward", wrapper_custom_softsign_backward);
  device.impl("custom_cube", wrapper_custom_cube);

  auto& cpu = library("openreg", DispatchKey::CPU);
  cpu.impl("custom_abs", custom_abs_any);
  cpu.impl("custom_softsign", custom_softsign_cpu);
  cpu.impl("custom_softsign_backward", custom_softsign_backward_cpu);
  cpu.impl("custom_cube", custom_cube_cpu);

  auto& meta = library("openreg", DispatchKey::Meta);
  meta.impl("custom_abs", custom_abs_meta);
  meta.impl("custom_softsign", custom_elementwise_meta);
  meta.impl("custom_softsign_backward", custom_softsign_backward_meta);
  meta.impl("custom_cube", custom_elementwise_meta);

  // These touch no data: one kernel for every device.
  auto& any = library("openreg", DispatchKey::CompositeExplicitAutograd);
  any.impl("custom_autograd_fn_returns_self", custom_returns_self_any);
  any.impl("custom_autograd_fn_aliasing", custom_aliasing_any);

  // Autograd stands for AutogradCPU, AutogradPrivateUse1 and the others.
  auto& autograd = library("openreg", DispatchKey::Autograd);
  autograd.impl("custom_abs", torch::autograd::autogradNotImplementedFallback());
  autograd.impl("custom_softsign", custom_softsign_autograd);
  autograd.impl("custom_softsign_backward", torch::autograd::autogradNotImplementedFallback());
  autograd.impl("custom_cube", custom_cube_autograd);
  autograd.impl("custom_autograd_fn_returns_self", custom_autograd_fn_returns_self_autograd);
  autograd.impl("custom_autograd_fn_aliasing", custom_autograd_fn_aliasing_autograd);
}

}  // namespace openreg::ops
