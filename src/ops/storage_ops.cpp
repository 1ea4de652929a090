#include "ops/storage_ops.h"

#include <ATen/Context.h>
#include <ATen/EmptyTensor.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/set_native.h>
#include <c10/core/DeviceGuard.h>
#include <c10/util/accumulate.h>

#include "device/allocator.h"
#include "device/runtime.h"
#include "device/storage.h"
#include "device/streams.h"

namespace openreg::ops {
namespace {

// at::native's own growth would touch device addresses on the host.
void grow_storage(c10::TensorImpl& impl, std::size_t bytes) {
  const auto& storage = impl.unsafe_storage();
  TORCH_INTERNAL_ASSERT(storage, "a tensor on the device always has a storage");
  if (bytes > storage.nbytes()) {
    device::resize_storage(*storage.unsafeGetStorageImpl(), bytes);
  }
}

// The storage first: queued work that has the tensor, and whoever catches an error, must not see sizes beyond it.
void resize_impl(c10::TensorImpl& impl, c10::IntArrayRef size, std::optional<c10::IntArrayRef> stride,
                 std::int64_t offset) {
  if (impl.sizes() == size && (!stride.has_value() || impl.strides() == *stride)) {
    impl.set_storage_offset(offset);  // the CPU's kernel grows nothing here either
    return;
  }
  if (impl.unsafe_storage().nbytes() > 0) {  // no queued work touches an empty one, and outputs begin empty
    device::order_with_current_stream(impl.device().index());
  }
  const auto item = impl.dtype().itemsize();
  const auto first = static_cast<std::size_t>(offset);
  if (c10::multiply_integers(size) > 0) {
    grow_storage(impl, stride.has_value() ? at::detail::computeStorageNbytes(size, *stride, item, first)
                                          : at::detail::computeStorageNbytesContiguous(size, item, first));
  }
  impl.set_storage_offset(offset);
  if (stride.has_value()) {
    impl.set_sizes_and_strides(size, *stride);
  } else {
    impl.set_sizes_contiguous(size);
  }
}

}  // namespace

const at::Tensor& resize_(const at::Tensor& self, c10::IntArrayRef size,
                          std::optional<c10::MemoryFormat> memory_format) {
  const auto old_bytes = self.storage().nbytes();
  at::detail::check_size_nonnegative(size);
  resize_impl(*self.unsafeGetTensorImpl(), size, std::nullopt, self.storage_offset());
  if (memory_format.has_value()) {
    TORCH_CHECK(*memory_format != c10::MemoryFormat::Preserve, "Unsupported memory format", *memory_format);
    self.unsafeGetTensorImpl()->empty_tensor_restride(*memory_format);
  }
  const auto& context = at::globalContext();
  if (C10_UNLIKELY(context.deterministicAlgorithms() && context.deterministicFillUninitializedMemory())) {
    at::native::fill_resize_deterministic_(self, static_cast<std::int64_t>(old_bytes));
  }
  return self;
}

at::Tensor& set_source_tensor(at::Tensor& self, const at::Tensor& source) {
  return at::native::set_tensor_(self, source);
}

at::Tensor& set_source_storage(at::Tensor& self, c10::Storage source) { return at::native::set_(self, source); }

at::Tensor& set_source_storage_offset(at::Tensor& self, c10::Storage source, std::int64_t offset, c10::IntArrayRef size,
                                      c10::IntArrayRef stride) {
  at::native::checkSetStorage(self, source, offset, size, stride);
  const auto strides = stride.data() != nullptr ? std::optional(stride) : std::nullopt;
  resize_impl(*self.unsafeGetTensorImpl(), size, strides, offset);
  return self;
}

bool has_compatible_shallow_copy_type(const at::Tensor& self, const at::Tensor& from) {
  const auto dense = [](const at::Tensor& tensor) {
    const auto keys = tensor.key_set();
    return keys.has(c10::DispatchKey::PrivateUse1) || keys.has(c10::DispatchKey::CPU);
  };
  return (dense(self) && dense(from)) || self.unsafeGetTensorImpl()->has_compatible_shallow_copy_type(from.key_set());
}

}  // namespace openreg::ops
