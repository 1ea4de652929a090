#pragma once

#include <c10/util/Exception.h>

#include "device/driver/driver.h"

namespace openreg::device {

// Turns a driver's failure into c10::Error with the driver's own words.
inline void check(driver::Status status) {
  if (C10_UNLIKELY(status != driver::Status::success)) {
    TORCH_CHECK(false, "openreg: ", driver::last_error(), " (", driver::status_name(status), ")");
  }
}

}  // namespace openreg::device
