#pragma once

#include <ATen/core/Tensor.h>

namespace openreg::ops {

// Copies `self` into `dst`, of which at least one is on openreg: any dtypes, strides, devices; sizes broadcast;
// conjugate and negative bits are honoured; overlaps are refused as on the CPU. Mirrors aten::_copy_from.
at::Tensor copy_from(const at::Tensor& self, const at::Tensor& dst, bool non_blocking);

// The same after dst was resized to self's sizes. Mirrors aten::_copy_from_and_resize.
at::Tensor copy_from_and_resize(const at::Tensor& self, const at::Tensor& dst);

// The value of a tensor of one element. Mirrors aten::_local_scalar_dense.
at::Scalar local_scalar_dense(const at::Tensor& self);

}  // namespace openreg::ops
