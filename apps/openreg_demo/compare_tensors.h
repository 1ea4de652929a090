#pragma once

#include "compare.h"

namespace openreg::demo {

// One leaf of compare(): two tensors, the second wherever it may be.
Leaf compare_tensors(const std::string& path, const at::Tensor& from_cpu, const at::Tensor& from_device,
                     const Comparison& how);

}  // namespace openreg::demo
