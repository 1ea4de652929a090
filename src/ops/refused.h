#pragma once

namespace openreg::ops {

// Operators that would make a tensor that openreg cannot hold, out of dense parts on the device: refused by name
// here, because their composite kernel would hand out a tensor that no other operator takes.
void register_refused_operators();

}  // namespace openreg::ops
