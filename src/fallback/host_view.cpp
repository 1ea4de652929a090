#include "openreg/host_view.h"

#include <c10/util/Exception.h>

#include "device/runtime.h"
#include "fallback/host_session.h"

namespace openreg {
namespace {

at::Tensor view_of(fallback::HostSession& session, const at::Tensor& tensor, bool written) {
  TORCH_CHECK(tensor.defined(), "A host view needs a defined tensor.");
  TORCH_CHECK(tensor.device().type() == device::kDeviceType, "A host view needs a tensor on ", device::kBackendName,
              ", but this one is on ", tensor.device(), ": use it as it is.");
  return session.host(tensor, written);
}

}  // namespace

HostView::HostView(const at::Tensor& tensor)
    : session_(std::make_unique<fallback::HostSession>("a host view")), host_(view_of(*session_, tensor, false)) {}

HostView::~HostView() = default;

MutableHostView::MutableHostView(const at::Tensor& tensor)
    : session_(std::make_unique<fallback::HostSession>("a host view")), host_(view_of(*session_, tensor, true)) {}

MutableHostView::~MutableHostView() {
  try {
    session_->write_back();
  } catch (...) {
    // Staged bytes could not be copied back; the driver has already said why and a destructor cannot.
  }
}

}  // namespace openreg
