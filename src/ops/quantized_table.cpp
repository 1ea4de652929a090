#include <ATen/core/Tensor.h>
#include <ATen/ops/_copy_from_ops.h>
#include <ATen/ops/_empty_affine_quantized_native.h>
#include <ATen/ops/_empty_affine_quantized_ops.h>
#include <ATen/ops/empty_quantized_native.h>
#include <ATen/ops/empty_quantized_ops.h>
#include <ATen/ops/quantize_per_tensor_ops.h>

#include "device/runtime.h"
#include "fallback/boxed.h"
#include "fallback/native_call.h"
#include "library.h"
#include "ops/copy.h"
#include "ops/quantized.h"

namespace openreg::ops {
namespace {

using fallback::counted_call;

at::Tensor wrapper_quantize_per_tensor(const at::Tensor& self, double scale, std::int64_t zero_point,
                                       c10::ScalarType dtype) {
  return quantize_per_tensor(self, scale, zero_point, dtype);  // the stub counts
}

at::Tensor wrapper__empty_affine_quantized(c10::IntArrayRef size, std::optional<c10::ScalarType> dtype,
                                           std::optional<c10::Layout> layout, std::optional<c10::Device> device,
                                           std::optional<bool> pin_memory, double scale, std::int64_t zero_point,
                                           std::optional<c10::MemoryFormat> memory_format) {
  const c10::OptionalDeviceGuard guard(device);
  return counted_call<at::_ops::_empty_affine_quantized, Way::native>(
      &at::native::empty_affine_quantized, size, dtype, layout, device, pin_memory, scale, zero_point, memory_format);
}

at::Tensor wrapper_empty_quantized(c10::IntArrayRef size, const at::Tensor& like, std::optional<c10::ScalarType> dtype,
                                   std::optional<c10::Layout> layout, std::optional<c10::Device> device,
                                   std::optional<bool> pin_memory, std::optional<c10::MemoryFormat> memory_format) {
  return counted_call<at::_ops::empty_quantized, Way::native>(&at::native::empty_quantized, size, like, dtype, layout,
                                                              device, pin_memory, memory_format);
}

at::Tensor wrapper__copy_from_quantized(const at::Tensor& self, const at::Tensor& dst, bool non_blocking) {
  return counted_call<at::_ops::_copy_from, Way::native>(&copy_from, self, dst, non_blocking);
}

void quantized_fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  fallback::run_on_host(fallback::operator_info(op), Way::explicit_fallback, stack, c10::DispatchKey::QuantizedCPU);
}

// What reads a quantized tensor or looks at it another way: the CPU's kernels serve as they are.
constexpr const char* kReaders[] = {
    "_reshape_alias", "as_strided", "clone", "dequantize.self", "empty_like", "int_repr", "q_scale", "q_zero_point",
    "qscheme",        "unsqueeze",  "view",  "squeeze.dim",     "equal",
};

}  // namespace

void register_quantized_operators() {
  auto& aten_quantized = library("aten", c10::DispatchKey::QuantizedPrivateUse1);
  library("aten", c10::DispatchKey::PrivateUse1).impl("quantize_per_tensor", wrapper_quantize_per_tensor);
  aten_quantized.impl("_empty_affine_quantized", wrapper__empty_affine_quantized);
  aten_quantized.impl("empty_quantized", wrapper_empty_quantized);
  aten_quantized.impl("_copy_from", wrapper__copy_from_quantized);
  for (const char* reader : kReaders) {
    aten_quantized.impl(reader, torch::CppFunction::makeFromBoxedFunction<&quantized_fallback>());
  }
}

}  // namespace openreg::ops
