#include "stubs/stub_table.h"

#include <ATen/TensorIterator.h>
#include <ATen/native/UnaryOps.h>
#include <ATen/native/quantized/AffineQuantizer.h>
#include <ATen/native/transformers/attention.h>
#include <ATen/ops/abs_native.h>
#include <ATen/ops/abs_ops.h>

#include "fallback/forcible.h"
#include "fallback/native_call.h"
#include "library.h"
#include "ops/attention.h"
#include "ops/quantized.h"
#include "stubs/abs.h"

namespace openreg::stubs {
namespace {

void wrapper_abs_stub(at::TensorIteratorBase& iter) {
  static auto& record = fallback::operator_record("aten::abs.out");
  const fallback::LedgerTimer timer(record, Way::stub);
  abs_kernel(iter);
}

void wrapper_quantize_tensor_per_tensor_affine_stub(const at::Tensor& source, at::Tensor& quantized, double scale,
                                                    std::int64_t zero_point) {
  static auto& record = fallback::operator_record("aten::quantize_per_tensor");
  const fallback::LedgerTimer timer(record, Way::stub);
  ops::quantize_tensor_per_tensor_affine(source, quantized, scale, zero_point);
}

std::int64_t wrapper__fused_sdp_choice_stub(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                                            const std::optional<at::Tensor>& mask, double dropout, bool causal,
                                            std::optional<double> scale, bool enable_gqa) {
  static auto& record = fallback::operator_record("aten::_fused_sdp_choice");
  const fallback::LedgerTimer timer(record, Way::stub);
  return ops::fused_sdp_choice(query, key, value, mask, dropout, causal, scale, enable_gqa);
}

at::Tensor& wrapper_abs_out(const at::Tensor& self, at::Tensor& out) {
  return fallback::forcible_call<at::_ops::abs_out>(&at::native::abs_out, self, out);
}

}  // namespace

void fill_stub_slots() {
  using namespace at::native;  // the macro names the stub's type without its namespace
  REGISTER_PRIVATEUSE1_DISPATCH(abs_stub, &wrapper_abs_stub);
  REGISTER_PRIVATEUSE1_DISPATCH(quantize_tensor_per_tensor_affine_stub,
                                &wrapper_quantize_tensor_per_tensor_affine_stub);
  REGISTER_PRIVATEUSE1_DISPATCH(_fused_sdp_choice_stub, &wrapper__fused_sdp_choice_stub);
}

void register_stub_operators() {
  auto& aten = library("aten", c10::DispatchKey::PrivateUse1);
  aten.impl("abs.out", wrapper_abs_out);
  fallback::mark_forcible("aten::abs.out");
}

}  // namespace openreg::stubs
