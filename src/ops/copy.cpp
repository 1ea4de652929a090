#include "ops/copy.h"

#include <ATen/Parallel.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/_local_scalar_dense.h>
#include <ATen/ops/copy.h>
#include <c10/util/Exception.h>

#include <cstring>

#include "device/runtime.h"
#include "device/streams.h"
#include "fallback/host_session.h"
#include "fallback/ordinary.h"
#include "fallback/policy.h"
#include "ops/queued_copy.h"

namespace openreg::ops {
namespace {

at::Tensor host_side(fallback::HostSession& session, const at::Tensor& tensor, bool written) {
  return tensor.device().type() == device::kDeviceType ? session.host(tensor, written) : tensor;
}

constexpr std::size_t kSmall = 64u << 10;

// Beyond that the CPU's copy is worth its threads. With one, it is slower than memcpy towards the host.
bool takes_memcpy(std::size_t bytes, const at::Tensor& dst) {
  return bytes <= kSmall || (dst.is_cpu() && at::get_num_threads() == 1);
}

// Where the CPU reaches the bytes of a contiguous tensor, or null when it is out of the ordinary.
char* host_bytes(const at::Tensor& tensor, bool written) {
  const auto& impl = *tensor.unsafeGetTensorImpl();
  const bool on_device = fallback::is_ordinary(impl, fallback::kDeviceKeys);
  if ((!on_device && !fallback::is_ordinary(impl, fallback::kCpuKeys)) || !tensor.is_contiguous()) {
    return nullptr;
  }
  auto* data = static_cast<char*>(written ? tensor.mutable_data_ptr() : const_cast<void*>(tensor.const_data_ptr()));
  if (on_device) {
    device::order_with_current_stream(tensor.device().index());
    return device::is_device_address(data) ? static_cast<char*>(device::to_host(data)) : nullptr;
  }
  return data;
}

// Setting up the CPU's copy costs more than a copy of few bytes.
bool copy_by_memcpy(const at::Tensor& self, const at::Tensor& dst) {
  const auto bytes = self.nbytes();
  if (bytes == 0 || !takes_memcpy(bytes, dst) || self.dtype() != dst.dtype() || self.sizes() != dst.sizes() ||
      self.is_alias_of(dst) || fallback::host_access() != fallback::HostAccess::mapped || fallback::is_stock()) {
    return false;
  }
  const auto* from = host_bytes(self, false);
  auto* to = from == nullptr ? nullptr : host_bytes(dst, true);
  if (to == nullptr) {
    return false;
  }
  std::memcpy(to, from, bytes);
  return true;
}

void copy_now(const at::Tensor& self, const at::Tensor& dst, bool non_blocking) {
  if (copy_by_memcpy(self, dst)) {
    return;
  }
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
