#pragma once

#include <c10/core/ScalarType.h>

#include <optional>

namespace openreg::ops {

bool can_autocast_to(at::ScalarType dtype);

// The dtype that the calling thread's autocast casts to; none, after one warning for each dtype, when openreg does not
// cast to it: autocast is then as good as off.
std::optional<at::ScalarType> autocast_dtype();

// The warning alone, once for each dtype.
void warn_about_autocast_dtype(at::ScalarType dtype);

}  // namespace openreg::ops
