#pragma once

#include <ATen/detail/PrivateUse1HooksInterface.h>

namespace openreg::device {

// What ATen asks a PrivateUse1 backend. Leaked on purpose.
at::PrivateUse1HooksInterface& hooks();

}  // namespace openreg::device
