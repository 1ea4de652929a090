#include "device/driver/error.h"

#include <cstdarg>
#include <cstdio>

namespace openreg::driver {
namespace {

// A plain array: it has no destructor, so that it can be used from destructors of other thread-local objects.
constinit thread_local char last_error_text[1024] = {};

}  // namespace

Status fail(Status status, const char* format, ...) noexcept {
  std::va_list arguments;
  va_start(arguments, format);
  // clang-tidy 14 does not see va_start().
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
  std::vsnprintf(last_error_text, sizeof(last_error_text), format, arguments);
  va_end(arguments);
  return status;
}

Status fail_null(const char* function, const char* argument) noexcept {
  return fail(Status::invalid_argument, "%s: %s is null", function, argument);
}

Status fail_host_memory(const char* function) noexcept {
  return fail(Status::reservation_failed, "%s: the host has no memory left for the driver's tables", function);
}

std::string last_error() { return last_error_text; }

}  // namespace openreg::driver
