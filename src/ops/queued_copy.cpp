#include "ops/queued_copy.h"

#include <c10/core/StorageImpl.h>

#include "device/allocator.h"
#include "device/environment.h"
#include "device/pinned_allocator.h"
#include "device/runtime.h"
#include "device/streams.h"

namespace openreg::ops {
namespace {

bool on_device(const at::Tensor& tensor) { return tensor.device().type() == device::kDeviceType; }

bool is_plain(const at::Tensor& tensor) {
  return tensor.layout() == c10::kStrided && !tensor.is_quantized() && !tensor._is_zerotensor() &&
         tensor.storage().data() != nullptr;
}

bool places_allow_it(const at::Tensor& self, const at::Tensor& dst, bool non_blocking) {
  if (on_device(self) && on_device(dst)) {
    return self.device() == dst.device() && (non_blocking || device::runs_asynchronously());
  }
  return non_blocking && device::is_pinned((on_device(self) ? dst : self).storage().data());
}

// The same bytes with sizes and strides of its own.
at::Tensor alias_of(const at::Tensor& tensor) {
  return at::Tensor(tensor.getIntrusivePtr()->shallow_copy_and_detach(/*version_counter=*/0,
                                                                      /*allow_tensor_metadata_change=*/false));
}

// The storage is held, but its block may be taken from it, by resizing.
void record_use(const at::Tensor& tensor, const c10::Stream& stream) {
  const auto* data = tensor.storage().data();
  if (on_device(tensor)) {
    device::record_stream(data, stream);
  } else {
    device::record_pinned_stream(data, stream);
  }
}

}  // namespace

bool can_queue_copy(const at::Tensor& self, const at::Tensor& dst, bool non_blocking) {
  return (non_blocking || device::runs_asynchronously()) && self.sizes() == dst.sizes() && self.numel() > 0 &&
         is_plain(self) && is_plain(dst) && dst.is_non_overlapping_and_dense() &&
         !self.storage().is_alias_of(dst.storage()) && (dst.is_complex() || !self.is_complex()) &&
         places_allow_it(self, dst, non_blocking);
}

void queue_copy(const at::Tensor& self, const at::Tensor& dst, void (*copy)(const at::Tensor&, const at::Tensor&)) {
  const auto stream = device::current_stream((on_device(self) ? self : dst).device().index());
  // A copy-on-write storage becomes the tensor's own now, not on the worker.
  dst.storage().unsafeGetStorageImpl()->mutable_data();
  record_use(self, stream);
  record_use(dst, stream);
  device::launch_in_order(stream, [copy, from = alias_of(self), to = alias_of(dst)] { copy(from, to); });
}

}  // namespace openreg::ops
