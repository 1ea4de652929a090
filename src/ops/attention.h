#pragma once

#include <ATen/core/Tensor.h>
#include <tuple>

// Attention. scaled_dot_product_attention is composite and asks _fused_sdp_choice, through its stub, which way to
// go: `math`, made of other operators, or `overrideable`, the pair below, which runs the CPU's flash attention.
// Shapes are [batch, heads, length, head size].
namespace openreg::ops {

// SDPBackend::overrideable where the CPU would take flash attention, else math: for dropout, for masks that need a
// gradient, and for shapes that flash attention does not take. Mirrors aten::_fused_sdp_choice.
std::int64_t fused_sdp_choice(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                              const std::optional<at::Tensor>& mask, double dropout, bool causal,
                              std::optional<double> scale, bool enable_gqa);

using AttentionResult = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, c10::SymInt, c10::SymInt, at::Tensor,
                                   at::Tensor, at::Tensor>;

// -> output, logsumexp, and what only other backends use: cumulated lengths, the lengths, random state, debug mask
AttentionResult fused_attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                                const std::optional<at::Tensor>& bias, double dropout, bool causal, bool debug_mask,
                                std::optional<double> scale);

// -> gradients of query, key, value (undefined where not asked for) and of the bias (always undefined)
std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> fused_attention_backward(
    const at::Tensor& gradient, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor& bias, std::array<bool, 4> wanted, const at::Tensor& output, const at::Tensor& logsumexp,
    double dropout, bool causal, std::optional<double> scale);

void register_attention_operators();

}  // namespace openreg::ops
