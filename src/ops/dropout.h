#pragma once

#include <ATen/core/Tensor.h>

#include <tuple>

namespace openreg::ops {

// -> output, bool mask. Mirrors aten::native_dropout, with draws from the device's default generator: the CPU's
// kernel takes none and would draw from the CPU's. It is the only operator of its kind.
std::tuple<at::Tensor, at::Tensor> native_dropout(const at::Tensor& input, double p, std::optional<bool> train);

void register_dropout();

}  // namespace openreg::ops
