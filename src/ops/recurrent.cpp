#include "ops/recurrent.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

#include "fallback/host_call.h"

namespace openreg::ops {
namespace {

using fallback::HostCall;

at::Tensor with_bias(at::Tensor gates, const at::Tensor& bias) { return bias.defined() ? gates.add_(bias) : gates; }

at::Tensor or_zeros(const at::Tensor& gradient, const at::Tensor& like) {
  return gradient.defined() ? gradient : at::zeros_like(like);
}

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

// A cell of few numbers is over before its operators have been dispatched: then one loop does it. `gates` holds the
// sums of the four gates' inputs and receives the gates.
constexpr std::int64_t kFew = 2048;

bool is_few(const at::Tensor& gates, const at::Tensor& cx) {
  return gates.scalar_type() == at::kFloat && cx.scalar_type() == at::kFloat && gates.is_contiguous() &&
         cx.is_contiguous() && gates.dim() == 2 && cx.dim() == 2 && gates.size(0) == cx.size(0) &&
         gates.size(1) == 4 * cx.size(1) && gates.numel() <= kFew;
}

std::pair<at::Tensor, at::Tensor> few_lstm_cells(const at::Tensor& gates, const at::Tensor& cx) {
  auto cy = at::empty_like(cx);
  auto hy = at::empty_like(cx);
  const auto size = cx.size(1);
  auto* gate = gates.mutable_data_ptr<float>();
  const auto* old_cell = cx.const_data_ptr<float>();
  auto* new_cell = cy.mutable_data_ptr<float>();
  auto* hidden = hy.mutable_data_ptr<float>();
  for (std::int64_t row = 0; row < cx.size(0); ++row, gate += 4 * size) {
    for (std::int64_t i = 0; i < size; ++i) {
      auto &in = gate[i], &forget = gate[size + i], &cell = gate[2 * size + i], &out = gate[3 * size + i];
      in = sigmoid(in);
      forget = sigmoid(forget);
      cell = std::tanh(cell);
      out = sigmoid(out);
      *new_cell = forget * *old_cell++ + in * cell;
      *hidden++ = out * std::tanh(*new_cell++);
    }
  }
  return {std::move(hy), std::move(cy)};
}

at::Tensor bias_gradient(const at::Tensor& gates, bool has_bias) {
  return has_bias ? gates.sum(0, /*keepdim=*/false) : at::Tensor();
}

}  // namespace

std::tuple<at::Tensor, at::Tensor, at::Tensor> fused_lstm_cell(const at::Tensor& input_gates,
                                                               const at::Tensor& hidden_gates, const at::Tensor& cx,
                                                               const std::optional<at::Tensor>& input_bias,
                                                               const std::optional<at::Tensor>& hidden_bias) {
  HostCall call("aten::_thnn_fused_lstm_cell", input_gates.device());
  auto workspace =
      with_bias(with_bias(call.in(input_gates).add(call.in(hidden_gates)), call.in(input_bias)), call.in(hidden_bias));
  const auto host_cx = call.in(cx);
  if (is_few(workspace, host_cx)) {
    auto [few_hy, few_cy] = few_lstm_cells(workspace, host_cx);
    return call.results(std::move(few_hy), std::move(few_cy), at::Tensor(workspace));
  }
  const auto gates = workspace.chunk(4, 1);
  const auto in = gates[0].sigmoid_();
  const auto forget = gates[1].sigmoid_();
  const auto cell = gates[2].tanh_();
  const auto out = gates[3].sigmoid_();
  auto cy = (forget * host_cx).add_(in * cell);
  auto hy = out * cy.tanh();
  return call.results(std::move(hy), std::move(cy), at::Tensor(workspace));
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> fused_lstm_cell_backward(const std::optional<at::Tensor>& grad_hy,
                                                                        const std::optional<at::Tensor>& grad_cy,
                                                                        const at::Tensor& cx, const at::Tensor& cy,
                                                                        const at::Tensor& workspace, bool has_bias) {
  HostCall call("aten::_thnn_fused_lstm_cell_backward_impl", cx.device());
  const auto host_cy = call.in(cy);
  const auto grad_h = or_zeros(call.in(grad_hy), host_cy);
  const auto gates = call.in(workspace).chunk(4, 1);
  const auto &in = gates[0], &forget = gates[1], &cell = gates[2], &out = gates[3];
  const auto tanh_cy = host_cy.tanh();
  const auto grad_c = grad_h * out * (1 - tanh_cy * tanh_cy) + or_zeros(call.in(grad_cy), host_cy);
  auto grad_gates = at::cat({grad_c * cell * in * (1 - in), grad_c * call.in(cx)*forget * (1 - forget),
                             grad_c * in * (1 - cell * cell), grad_h * tanh_cy * out * (1 - out)},
                            1);
  auto grad_cx = grad_c * forget;
  auto grad_bias = bias_gradient(grad_gates, has_bias);
  return call.results(std::move(grad_gates), std::move(grad_cx), std::move(grad_bias));
}

std::tuple<at::Tensor, at::Tensor> fused_gru_cell(const at::Tensor& input_gates, const at::Tensor& hidden_gates,
                                                  const at::Tensor& hx, const std::optional<at::Tensor>& input_bias,
                                                  const std::optional<at::Tensor>& hidden_bias) {
  HostCall call("aten::_thnn_fused_gru_cell", input_gates.device());
  const auto from_input = with_bias(call.in(input_gates).clone(), call.in(input_bias)).chunk(3, 1);
  const auto from_hidden = with_bias(call.in(hidden_gates).clone(), call.in(hidden_bias)).chunk(3, 1);
  const auto state = call.in(hx);
  const auto reset = (from_input[0] + from_hidden[0]).sigmoid_();
  const auto update = (from_input[1] + from_hidden[1]).sigmoid_();
  const auto fresh = (from_input[2] + reset * from_hidden[2]).tanh_();
  auto hy = (state - fresh).mul_(update).add_(fresh);
  auto workspace = at::cat({reset, update, fresh, state, from_hidden[2]}, 1);
  return call.results(std::move(hy), std::move(workspace));
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> fused_gru_cell_backward(
    const at::Tensor& grad_hy, const at::Tensor& workspace, bool has_bias) {
  HostCall call("aten::_thnn_fused_gru_cell_backward", grad_hy.device());
  const auto grad = call.in(grad_hy);
  const auto saved = call.in(workspace).chunk(5, 1);
  const auto &reset = saved[0], &update = saved[1], &fresh = saved[2], &state = saved[3], &from_hidden = saved[4];
  const auto grad_update = grad * (state - fresh) * (1 - update) * update;
  const auto grad_fresh = grad * (1 - update) * (1 - fresh * fresh);
  const auto grad_reset = grad_fresh * from_hidden * (1 - reset) * reset;
  auto grad_input_gates = at::cat({grad_reset, grad_update, grad_fresh}, 1);
  auto grad_hidden_gates = at::cat({grad_reset, grad_update, grad_fresh * reset}, 1);
  auto grad_hx = grad * update;
  auto grad_input_bias = bias_gradient(grad_input_gates, has_bias);
  auto grad_hidden_bias = bias_gradient(grad_hidden_gates, has_bias);
  return call.results(std::move(grad_input_gates), std::move(grad_hidden_gates), std::move(grad_hx),
                      std::move(grad_input_bias), std::move(grad_hidden_bias));
}

}  // namespace openreg::ops
