#pragma once

namespace openreg::stubs {

// Fills the PrivateUse1 slots of libtorch's DispatchStubs, and registers the operators that end in them: a slot
// alone is never reached, the fallback would answer first.
void fill_stub_slots();
void register_stub_operators();

}  // namespace openreg::stubs
