#include "ops/custom.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/abs.h>

#include "fallback/operator_record.h"

namespace openreg::ops {
namespace {

at::Tensor custom_abs(const at::Tensor& input) { return at::abs(input); }

at::Tensor wrapper_custom_abs(const at::Tensor& input) {
  static auto& record = fallback::operator_record("openreg::custom_abs");
  const fallback::LedgerTimer timer(record, Way::native);
  return custom_abs(input);
}

}  // namespace

void define_custom_operators(torch::Library& fragment) { fragment.def("custom_abs(Tensor input) -> Tensor"); }

void register_custom_operators(torch::Library& openreg_namespace) {
  openreg_namespace.impl("custom_abs", wrapper_custom_abs);
}

}  // namespace openreg::ops
