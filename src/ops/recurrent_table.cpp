#include <ATen/core/Tensor.h>
#include <ATen/ops/_thnn_fused_gru_cell_backward_ops.h>
#include <ATen/ops/_thnn_fused_gru_cell_ops.h>
#include <ATen/ops/_thnn_fused_lstm_cell_backward_impl_ops.h>
#include <ATen/ops/_thnn_fused_lstm_cell_ops.h>

#include "fallback/native_call.h"
#include "library.h"
#include "ops/recurrent.h"
#include "ops/recurrent_layers.h"

namespace openreg::ops {
namespace {

using fallback::counted_call;
using OptionalTensor = std::optional<at::Tensor>;

std::tuple<at::Tensor, at::Tensor, at::Tensor> wrapper__thnn_fused_lstm_cell(const at::Tensor& input_gates,
                                                                             const at::Tensor& hidden_gates,
                                                                             const at::Tensor& cx,
                                                                             const OptionalTensor& input_bias,
                                                                             const OptionalTensor& hidden_bias) {
  return counted_call<at::_ops::_thnn_fused_lstm_cell, Way::native>(&fused_lstm_cell, input_gates, hidden_gates, cx,
                                                                    input_bias, hidden_bias);
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> wrapper__thnn_fused_lstm_cell_backward_impl(
    const OptionalTensor& grad_hy, const OptionalTensor& grad_cy, const at::Tensor& cx, const at::Tensor& cy,
    const at::Tensor& workspace, bool has_bias) {
  return counted_call<at::_ops::_thnn_fused_lstm_cell_backward_impl, Way::native>(&fused_lstm_cell_backward, grad_hy,
                                                                                  grad_cy, cx, cy, workspace, has_bias);
}

std::tuple<at::Tensor, at::Tensor> wrapper__thnn_fused_gru_cell(const at::Tensor& input_gates,
                                                                const at::Tensor& hidden_gates, const at::Tensor& hx,
                                                                const OptionalTensor& input_bias,
                                                                const OptionalTensor& hidden_bias) {
  return counted_call<at::_ops::_thnn_fused_gru_cell, Way::native>(&fused_gru_cell, input_gates, hidden_gates, hx,
                                                                   input_bias, hidden_bias);
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> wrapper__thnn_fused_gru_cell_backward(
    const at::Tensor& grad_hy, const at::Tensor& workspace, bool has_bias) {
  return counted_call<at::_ops::_thnn_fused_gru_cell_backward, Way::native>(&fused_gru_cell_backward, grad_hy,
                                                                            workspace, has_bias);
}

}  // namespace

void register_recurrent_operators() {
  auto& aten = library("aten", c10::DispatchKey::PrivateUse1);
  aten.impl("_thnn_fused_lstm_cell", wrapper__thnn_fused_lstm_cell);
  aten.impl("_thnn_fused_lstm_cell_backward_impl", wrapper__thnn_fused_lstm_cell_backward_impl);
  aten.impl("_thnn_fused_gru_cell", wrapper__thnn_fused_gru_cell);
  aten.impl("_thnn_fused_gru_cell_backward", wrapper__thnn_fused_gru_cell_backward);
  // See Note [Recurrent layers as a whole].
  auto& autograd = library("aten", c10::DispatchKey::AutogradPrivateUse1);
  for (auto* where : {&aten, &autograd}) {
    where->impl("lstm.input", lstm);
    where->impl("gru.input", gru);
  }
}

}  // namespace openreg::ops
