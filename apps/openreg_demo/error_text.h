#pragma once

#include <exception>
#include <string>

namespace openreg::demo {

// What went wrong, on one line: no C++ backtrace, and of TorchScript's own report only the error at its end.
std::string error_line(const std::exception& error);

}  // namespace openreg::demo
