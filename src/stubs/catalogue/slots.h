#pragma once

#include "openreg/stubs.h"

namespace openreg::stubs {

// The PrivateUse1 slot of the stub object that libtorch exports under this symbol.
StubSlot slot_of(const char* symbol);

}  // namespace openreg::stubs
