#pragma once

#include <string>

namespace openreg {

// "" when the libtorch that is loaded is the one that this library was compiled with; otherwise which is which, and
// the remedy.
std::string libtorch_mismatch();

}  // namespace openreg
