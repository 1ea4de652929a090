#pragma once

#include <ATen/core/Tensor.h>

namespace openreg::ops {

// Both check the device type, the layout ("Non strided layout not supported"), pinning ("Pin memory can only be on
// CPU") and the device index before anything is allocated.
at::Tensor empty_memory_format(c10::IntArrayRef size, std::optional<c10::ScalarType> dtype,
                               std::optional<c10::Layout> layout, std::optional<c10::Device> device,
                               std::optional<bool> pin_memory, std::optional<c10::MemoryFormat> memory_format);

at::Tensor empty_strided(c10::IntArrayRef size, c10::IntArrayRef stride, std::optional<c10::ScalarType> dtype,
                         std::optional<c10::Layout> layout, std::optional<c10::Device> device,
                         std::optional<bool> pin_memory);

}  // namespace openreg::ops
