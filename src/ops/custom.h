#pragma once

#include <torch/library.h>

namespace openreg::ops {

// openreg::custom_abs(Tensor input) -> Tensor: the absolute values of a tensor, without a gradient. The first custom
// operator, to copy: its schema, then a kernel for each key that it serves.
void define_custom_operators(torch::Library& fragment);
void register_custom_operators(torch::Library& openreg_namespace);

}  // namespace openreg::ops
