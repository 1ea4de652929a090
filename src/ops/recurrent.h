#pragma once

#include <ATen/core/Tensor.h>
#include <tuple>

// The fused cells that libtorch's LSTM and GRU call on every backend but the CPU, which has no kernel for them.
// Gates are [batch, 4 * hidden] (LSTM: input, forget, cell, output) or [batch, 3 * hidden] (GRU: reset, update, new);
// states are [batch, hidden]; biases may be undefined. Floating point dtypes of the CPU.
namespace openreg::ops {

// -> next hidden state, next cell state, workspace [batch, 4 * hidden]: the gates after their activation
std::tuple<at::Tensor, at::Tensor, at::Tensor> fused_lstm_cell(const at::Tensor& input_gates,
                                                               const at::Tensor& hidden_gates, const at::Tensor& cx,
                                                               const std::optional<at::Tensor>& input_bias,
                                                               const std::optional<at::Tensor>& hidden_bias);

// -> gradients of the gates, of cx, of the bias (undefined without one)
std::tuple<at::Tensor, at::Tensor, at::Tensor> fused_lstm_cell_backward(const std::optional<at::Tensor>& grad_hy,
                                                                        const std::optional<at::Tensor>& grad_cy,
                                                                        const at::Tensor& cx, const at::Tensor& cy,
                                                                        const at::Tensor& workspace, bool has_bias);

// -> next hidden state, workspace [batch, 5 * hidden]: reset, update, new, hx, hidden part of new
std::tuple<at::Tensor, at::Tensor> fused_gru_cell(const at::Tensor& input_gates, const at::Tensor& hidden_gates,
                                                  const at::Tensor& hx, const std::optional<at::Tensor>& input_bias,
                                                  const std::optional<at::Tensor>& hidden_bias);

// -> gradients of input gates, hidden gates, hx, input bias, hidden bias (undefined without one)
std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> fused_gru_cell_backward(
    const at::Tensor& grad_hy, const at::Tensor& workspace, bool has_bias);

void register_recurrent_operators();

}  // namespace openreg::ops
