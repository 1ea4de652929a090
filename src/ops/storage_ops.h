#pragma once

#include <ATen/core/Tensor.h>

// Operators that change what storage a tensor looks at, or how large it is.
namespace openreg::ops {

// Grows the storage when the new size needs more, keeping its bytes; never shrinks it. Mirrors at::native::resize_.
const at::Tensor& resize_(const at::Tensor& self, c10::IntArrayRef size,
                          std::optional<c10::MemoryFormat> memory_format);

at::Tensor& set_source_tensor(at::Tensor& self, const at::Tensor& source);
at::Tensor& set_source_storage(at::Tensor& self, c10::Storage source);
at::Tensor& set_source_storage_offset(at::Tensor& self, c10::Storage source, std::int64_t offset, c10::IntArrayRef size,
                                      c10::IntArrayRef stride);

// Module::to, clone(device) and Tensor::set_data ask it: a CPU tensor may take the place of a device tensor and the
// other way round, so that parameters keep their identity when a module moves.
bool has_compatible_shallow_copy_type(const at::Tensor& self, const at::Tensor& from);

}  // namespace openreg::ops
