#include "ops/quantized.h"

#include <ATen/native/quantized/AffineQuantizer.h>
#include <ATen/ops/quantize_per_tensor_native.h>
#include <c10/core/DeviceGuard.h>

#include "device/runtime.h"
#include "fallback/host_session.h"

namespace openreg::ops {

at::Tensor quantize_per_tensor(const at::Tensor& self, double scale, std::int64_t zero_point, c10::ScalarType dtype) {
  TORCH_CHECK_NOT_IMPLEMENTED(dtype != at::kQUInt4x2 && dtype != at::kQUInt2x4,
                              "Operator 'aten::quantize_per_tensor' is not implemented for ", dtype, " on device ",
                              device::kBackendName, ": use QInt8, QUInt8 or QInt32, or call it on the CPU.");
  const c10::DeviceGuard guard(self.device());
  return at::native::quantize_per_tensor(self, scale, zero_point, dtype);
}

void quantize_tensor_per_tensor_affine(const at::Tensor& source, at::Tensor& quantized, double scale,
                                       std::int64_t zero_point) {
  fallback::HostSession session("aten::quantize_per_tensor");
  auto host_quantized = session.host(quantized, true);
  at::native::quantize_tensor_per_tensor_affine(session.host(source, false), host_quantized, scale, zero_point);
  session.write_back();
}

}  // namespace openreg::ops
