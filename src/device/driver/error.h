#pragma once

#include "device/driver/driver.h"

namespace openreg::driver {

// Keeps the formatted text as the calling thread's last error and returns the status. Allocates nothing: it must
// work when memory is what is missing.
[[gnu::format(printf, 2, 3)]] Status fail(Status status, const char* format, ...) noexcept;

Status fail_null(const char* function, const char* argument) noexcept;

// The host itself is out of memory (std::bad_alloc) while the driver keeps its books.
Status fail_host_memory(const char* function) noexcept;

}  // namespace openreg::driver
