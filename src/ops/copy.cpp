#include "ops/copy.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/_local_scalar_dense.h>
#include <ATen/ops/copy.h>
#include <c10/util/Exception.h>

#include "device/runtime.h"
#include "fallback/host_session.h"
#include "ops/queued_copy.h"

namespace openreg::ops {
namespace {

at::Tensor host_side(fallback::HostSession& session, const at::Tensor& tensor, bool written) {
  return tensor.device().type() == device::kDeviceType ? session.host(tensor, written) : tensor;
}

void copy_now(const at::Tensor& self, const at::Tensor& dst, bool non_blocking) {
  const at::AutoDispatchBelowADInplaceOrView below_autograd;
  fallback::HostSession session("aten::_copy_from");
  auto destination = host_side(session, dst, true);
  destination.copy_(host_side(session, self, false), non_blocking);
  session.write_back();
}

}  // namespace

at::Tensor copy_from(const at::Tensor& self, const at::Tensor& dst, bool non_blocking) {
  TORCH_CHECK(self.defined(), "Source tensor (self) is not defined.");
  TORCH_CHECK(dst.defined(), "Destination tensor (dst) is not defined.");
  if (C10_UNLIKELY(can_queue_copy(self, dst, non_blocking))) {
    queue_copy(self, dst, [](const at::Tensor& from, const at::Tensor& to) { copy_now(from, to, false); });
  } else {
    copy_now(self, dst, non_blocking);
  }
  return dst;
}

at::Tensor copy_from_and_resize(const at::Tensor& self, const at::Tensor& dst) {
  TORCH_CHECK(self.defined(), "Source tensor (self) is not defined.");
  TORCH_CHECK(dst.defined(), "Destination tensor (dst) is not defined.");
  if (dst.sizes() != self.sizes()) {
    dst.resize_(self.sizes());
  }
  return copy_from(self, dst, false);
}

at::Scalar local_scalar_dense(const at::Tensor& self) {
  fallback::HostSession session("aten::_local_scalar_dense");
  return at::_local_scalar_dense(session.host(self, false));
}

}  // namespace openreg::ops
