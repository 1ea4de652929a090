// The test of keys in a program without the device.
#include <ATen/core/Tensor.h>
#include <c10/core/StorageImpl.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include "keys_of_calls.h"

// Graphs over tensors of a device ask for its guard.
C10_REGISTER_GUARD_IMPL(PrivateUse1, c10::impl::NoOpDeviceGuardImpl<c10::DeviceType::PrivateUse1>)

// A tensor with the keys of the openreg device over a few floats of the host: a call is reported before any kernel
// runs, and this program has none for the device.
at::Tensor on_device(bool grad) {
  static float data[4] = {1, 1, 1, 1};
  const c10::DispatchKeySet its({c10::DispatchKey::PrivateUse1, c10::DispatchKey::AutogradPrivateUse1,
                                 c10::DispatchKey::ADInplaceOrView, c10::DispatchKey::AutocastPrivateUse1});
  c10::Storage storage(c10::Storage::use_byte_size_t(), sizeof data,
                       c10::DataPtr(data, c10::Device(c10::DeviceType::PrivateUse1, 0)), nullptr, false);
  at::Tensor tensor =
      at::detail::make_tensor<c10::TensorImpl>(std::move(storage), its, caffe2::TypeMeta::Make<float>());
  tensor.unsafeGetTensorImpl()->set_sizes_contiguous({2, 2});
  return tensor.set_requires_grad(grad);
}
