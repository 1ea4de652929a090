#pragma once

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

#include <array>
#include <tuple>

#include "device/streams.h"
#include "fallback/host_allocator.h"
#include "fallback/host_session.h"

namespace openreg::fallback {

// For a kernel of openreg's own that computes with CPU operators:
//
//   HostCall call("aten::my_op", x.device());
//   return call.results(at::sigmoid(call.in(x)));
//
// Arguments are host views, and results become device tensors as in the boxed fallback. All lie on the one device.
class HostCall {
 public:
  HostCall(const char* op, c10::Device device) : op_(op), session_(op), adoption_(device.index()), device_(device) {
    device::order_with_current_stream(device.index());
  }

  at::Tensor in(const at::Tensor& tensor) {
    TORCH_CHECK(!tensor.defined() || tensor.device() == device_,
                "Expected all tensors to be on the same device, but found at least two devices, ", device_, " and ",
                tensor.device(), "! (in ", op_, ")");
    return session_.host(tensor, false);
  }
  at::Tensor in(const std::optional<at::Tensor>& tensor) { return tensor.has_value() ? in(*tensor) : at::Tensor(); }

  at::Tensor results(at::Tensor result) {
    session_.announce(result);
    return session_.to_device(std::move(result), device_);
  }

  template <typename... Tensors>
  requires(sizeof...(Tensors) > 1) std::tuple<Tensors...> results(Tensors... tensors) {
    (session_.announce(tensors), ...);
    return {session_.to_device(std::move(tensors), device_)...};
  }

 private:
  const char* op_;
  HostSession session_;
  AdoptionScope adoption_;
  at::AutoDispatchBelowADInplaceOrView below_autograd_;
  c10::Device device_;
};

}  // namespace openreg::fallback
