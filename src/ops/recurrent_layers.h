#pragma once

#include <ATen/core/Tensor.h>

#include <tuple>

namespace openreg::ops {

// Note [Recurrent layers as a whole]
// libtorch's aten::lstm and aten::gru take a network apart on every device that they do not know: some ten operators
// for each step and layer, where the CPU's LSTM does a layer at once. Nobody but autograd and autocast needs the parts.
// So when neither is at work, nor dropout, whose numbers the device's generator draws, the CPU's network runs as a
// whole; else the composite does. The kernels stand at Autograd too, as a composite operator with a kernel of its own
// has no gradient otherwise.

// aten::lstm.input -> output, last hidden states, last cell states
std::tuple<at::Tensor, at::Tensor, at::Tensor> lstm(const at::Tensor& input, at::TensorList states,
                                                    at::TensorList parameters, bool has_biases, std::int64_t layers,
                                                    double dropout, bool train, bool bidirectional, bool batch_first);

// aten::gru.input -> output, last hidden states
std::tuple<at::Tensor, at::Tensor> gru(const at::Tensor& input, const at::Tensor& state, at::TensorList parameters,
                                       bool has_biases, std::int64_t layers, double dropout, bool train,
                                       bool bidirectional, bool batch_first);

}  // namespace openreg::ops
