#pragma once

#include <ATen/core/Tensor.h>

// Quantized tensors: per-tensor affine qint8, quint8 and qint32 can be made, copied, viewed, read back and printed.
// Everything else is refused by name.
namespace openreg::ops {

// Mirrors aten::quantize_per_tensor; ends in the stub below.
at::Tensor quantize_per_tensor(const at::Tensor& self, double scale, std::int64_t zero_point, c10::ScalarType dtype);

// The kernel behind at::native::quantize_tensor_per_tensor_affine_stub: fills `quantized` with the float tensor's
// values. Both have the same sizes and are on openreg.
void quantize_tensor_per_tensor_affine(const at::Tensor& source, at::Tensor& quantized, double scale,
                                       std::int64_t zero_point);

void register_quantized_operators();

}  // namespace openreg::ops
