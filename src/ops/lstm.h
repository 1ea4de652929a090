#pragma once

#include <ATen/core/Tensor.h>

#include <tuple>

namespace openreg::ops {

// Note [LSTM as a whole]
// libtorch's aten::lstm takes the LSTM apart on every device that it does not know: some ten operators for each step
// and layer, where the CPU's library does a layer at once. Nobody but autograd and autocast needs the parts. So when
// neither is at work, nor dropout, whose numbers the device's generator draws, the CPU's LSTM runs as a whole; else
// the composite does. The kernel stands at Autograd too, as a composite operator with a kernel of its own has no
// gradient otherwise.

// aten::lstm.input -> output, last hidden states, last cell states
std::tuple<at::Tensor, at::Tensor, at::Tensor> lstm(const at::Tensor& input, at::TensorList states,
                                                    at::TensorList parameters, bool has_biases, std::int64_t layers,
                                                    double dropout, bool train, bool bidirectional, bool batch_first);

}  // namespace openreg::ops
