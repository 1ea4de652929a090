#include <ATen/core/Tensor.h>
#include <ATen/ops/_fused_sdp_choice_ops.h>
#include <ATen/ops/_scaled_dot_product_fused_attention_overrideable_backward_ops.h>
#include <ATen/ops/_scaled_dot_product_fused_attention_overrideable_ops.h>

#include "fallback/native_call.h"
#include "library.h"
#include "ops/attention.h"

namespace openreg::ops {
namespace {

using fallback::counted_call;
using OptionalTensor = std::optional<at::Tensor>;

std::int64_t wrapper__fused_sdp_choice(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                                       const OptionalTensor& mask, double dropout, bool causal,
                                       std::optional<double> scale, bool enable_gqa) {
  return counted_call<at::_ops::_fused_sdp_choice, Way::native>(&fused_sdp_choice, query, key, value, mask, dropout,
                                                                causal, scale, enable_gqa);
}

AttentionResult wrapper__scaled_dot_product_fused_attention_overrideable(const at::Tensor& query, const at::Tensor& key,
                                                                         const at::Tensor& value,
                                                                         const OptionalTensor& bias, double dropout,
                                                                         bool causal, bool debug_mask,
                                                                         std::optional<double> scale) {
  return counted_call<at::_ops::_scaled_dot_product_fused_attention_overrideable, Way::native>(
      &fused_attention, query, key, value, bias, dropout, causal, debug_mask, scale);
}

// The cumulated lengths, the lengths and the random state are for backends with dropout and packed batches.
std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>
wrapper__scaled_dot_product_fused_attention_overrideable_backward(
    const at::Tensor& gradient, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor& bias, std::array<bool, 4> wanted, const at::Tensor& output, const at::Tensor& logsumexp,
    const at::Tensor&, const at::Tensor&, c10::SymInt, c10::SymInt, double dropout, bool causal, const at::Tensor&,
    const at::Tensor&, std::optional<double> scale) {
  return counted_call<at::_ops::_scaled_dot_product_fused_attention_overrideable_backward, Way::native>(
      &fused_attention_backward, gradient, query, key, value, bias, wanted, output, logsumexp, dropout, causal, scale);
}

}  // namespace

void register_attention_operators() {
  auto& aten = library("aten", c10::DispatchKey::PrivateUse1);
  aten.impl("_fused_sdp_choice", wrapper__fused_sdp_choice);
  aten.impl("_scaled_dot_product_fused_attention_overrideable",
            wrapper__scaled_dot_product_fused_attention_overrideable);
  aten.impl("_scaled_dot_product_fused_attention_overrideable_backward",
            wrapper__scaled_dot_product_fused_attention_overrideable_backward);
}

}  // namespace openreg::ops
