#include "device/runtime.h"

namespace openreg::device {

// Rename the device here. c10 wants letters, digits and _, and no name of its own.
constinit const char* const kBackendName = "openreg";

}  // namespace openreg::device
