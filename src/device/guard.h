#pragma once

#include <c10/core/impl/DeviceGuardImplInterface.h>

namespace openreg::device {

// The guard that c10::DeviceGuard and the autograd engine use for PrivateUse1. Leaked on purpose.
const c10::impl::DeviceGuardImplInterface& guard();

}  // namespace openreg::device
