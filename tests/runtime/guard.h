#pragma once

#include <c10/core/impl/VirtualGuardImpl.h>

namespace openreg::test {

// openreg's device guard, as libtorch reaches it.
inline c10::impl::VirtualGuardImpl guard() { return c10::impl::VirtualGuardImpl(c10::DeviceType::PrivateUse1); }

}  // namespace openreg::test
