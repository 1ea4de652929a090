#pragma once

#include <torch/library.h>

#include "fallback/forwarding.h"

namespace openreg::ops {

void add_fill_tensor(torch::Library& library, const char* name, const c10::OperatorHandle& op);

// The entry for aten::fill_.Tensor. A value that lies on another device than what it fills is read first, whichever of
// the two is openreg's, as CUDA does it; else the operator is forwarded.
inline constexpr fallback::Forwarded kFillTensor{"aten::fill_", "Tensor", &add_fill_tensor};

}  // namespace openreg::ops
