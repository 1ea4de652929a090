#include "ops/factories.h"

#include <ATen/Context.h>
#include <ATen/Dispatch_v2.h>
#include <ATen/EmptyTensor.h>
#include <ATen/native/TensorFactories.h>
#include <c10/core/DeviceGuard.h>

#include "device/allocator.h"
#include "device/runtime.h"

namespace openreg::ops {
namespace {

constexpr c10::DispatchKeySet kKeys(c10::DispatchKey::PrivateUse1);

c10::Device checked_device(std::optional<c10::Device> asked, std::optional<c10::Layout> layout,
                           std::optional<bool> pin_memory) {
  const auto device = c10::device_or_default(asked);
  TORCH_CHECK(device.type() == device::kDeviceType, "Expected an ", device::kBackendName, " device, but got ", device,
              ".");
  TORCH_CHECK(c10::layout_or_default(layout) == c10::Layout::Strided, "Non strided layout not supported");
  TORCH_CHECK(!c10::pinned_memory_or_default(pin_memory), "Pin memory can only be on CPU");
  return device::resolve_device(device);
}

// As the CPU's factories: what is uninitialised is made visible when a program asks for determinism.
at::Tensor filled_if_deterministic(at::Tensor tensor) {
  const auto& context = at::globalContext();
  if (C10_UNLIKELY(context.deterministicAlgorithms() && context.deterministicFillUninitializedMemory())) {
    at::native::fill_empty_deterministic_(tensor);
  }
  return tensor;
}

}  // namespace

at::Tensor empty_memory_format(c10::IntArrayRef size, std::optional<c10::ScalarType> dtype,
                               std::optional<c10::Layout> layout, std::optional<c10::Device> device,
                               std::optional<bool> pin_memory, std::optional<c10::MemoryFormat> memory_format) {
  const c10::DeviceGuard guard(checked_device(device, layout, pin_memory));
  return filled_if_deterministic(
      at::detail::empty_generic(size, &device::allocator(), kKeys, c10::dtype_or_default(dtype), memory_format));
}

at::Tensor empty_strided(c10::IntArrayRef size, c10::IntArrayRef stride, std::optional<c10::ScalarType> dtype,
                         std::optional<c10::Layout> layout, std::optional<c10::Device> device,
                         std::optional<bool> pin_memory) {
  const c10::DeviceGuard guard(checked_device(device, layout, pin_memory));
  return filled_if_deterministic(
      at::detail::empty_strided_generic(size, stride, &device::allocator(), kKeys, c10::dtype_or_default(dtype)));
}

}  // namespace openreg::ops
