#include "ops/attention.h"

#include <ATen/SDPBackend.h>
#include <ATen/ops/_fused_sdp_choice.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu_backward.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>

#include "device/runtime.h"
#include "fallback/host_call.h"

namespace openreg::ops {
namespace {

using fallback::HostCall;

std::optional<at::Tensor> optional_in(HostCall& call, const std::optional<at::Tensor>& tensor) {
  return tensor.has_value() && tensor->defined() ? std::optional(call.in(*tensor)) : std::nullopt;
}

}  // namespace

std::int64_t fused_sdp_choice(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                              const std::optional<at::Tensor>& mask, double dropout, bool causal,
                              std::optional<double> scale, bool enable_gqa) {
  constexpr auto math = static_cast<std::int64_t>(at::SDPBackend::math);
  const bool mask_needs_gradient = mask.has_value() && mask->requires_grad() && c10::GradMode::is_enabled();
  const bool same_device = key.device() == query.device() && value.device() == query.device();
  if (dropout != 0 || mask_needs_gradient || !same_device) {
    return math;
  }
  // The CPU knows best what its flash attention takes. Asking costs three host views and no look at the data.
  HostCall call("aten::_fused_sdp_choice", query.device());
  const bool mask_is_here = !mask.has_value() || !mask->defined() || mask->device() == query.device();
  const auto choice = mask_is_here ? at::_fused_sdp_choice(call.in(query), call.in(key), call.in(value),
                                                           optional_in(call, mask), dropout, causal, scale, enable_gqa)
                                   : math;
  return choice == static_cast<std::int64_t>(at::SDPBackend::flash_attention)
             ? static_cast<std::int64_t>(at::SDPBackend::overrideable)
             : math;
}

AttentionResult fused_attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                                const std::optional<at::Tensor>& bias, double dropout, bool causal, bool,
                                std::optional<double> scale) {
  TORCH_CHECK_NOT_IMPLEMENTED(dropout == 0, "Fused attention on ", device::kBackendName,
                              " has no dropout, but got p=", dropout,
                              ": scaled_dot_product_attention takes its math way for it.");
  HostCall call("aten::_scaled_dot_product_fused_attention_overrideable", query.device());
  auto [output, logsumexp] = at::_scaled_dot_product_flash_attention_for_cpu(
      call.in(query), call.in(key), call.in(value), dropout, causal, optional_in(call, bias), scale);
  auto [device_output, device_logsumexp] = call.results(std::move(output), std::move(logsumexp));
  return {std::move(device_output),
          std::move(device_logsumexp),
          at::Tensor(),
          at::Tensor(),
          query.sym_size(2),
          key.sym_size(2),
          at::Tensor(),
          at::Tensor(),
          at::Tensor()};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> fused_attention_backward(
    const at::Tensor& gradient, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor& bias, std::array<bool, 4> wanted, const at::Tensor& output, const at::Tensor& logsumexp,
    double dropout, bool causal, std::optional<double> scale) {
  if (!gradient.defined()) {
    return {};
  }
  TORCH_CHECK_NOT_IMPLEMENTED(!wanted[3] || !bias.defined() || !bias.requires_grad(), "Fused attention on ",
                              device::kBackendName,
                              " gives no gradient of the mask: "
                              "scaled_dot_product_attention takes its math way for it.");
  HostCall call("aten::_scaled_dot_product_fused_attention_overrideable_backward", query.device());
  auto [grad_query, grad_key, grad_value] = at::_scaled_dot_product_flash_attention_for_cpu_backward(
      call.in(gradient), call.in(query), call.in(key), call.in(value), call.in(output), call.in(logsumexp), dropout,
      causal, optional_in(call, bias), scale);
  return std::tuple_cat(
      call.results(wanted[0] ? std::move(grad_query) : at::Tensor(), wanted[1] ? std::move(grad_key) : at::Tensor(),
                   wanted[2] ? std::move(grad_value) : at::Tensor()),
      std::make_tuple(at::Tensor()));
}

}  // namespace openreg::ops
