#include "fallback/native_kernels.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <sstream>
#include <vector>

#include "fallback/near_names.h"

namespace openreg::fallback {

bool has_native_kernel(const std::string& op) {
  const auto dot = op.find('.');
  const auto handle =
      c10::Dispatcher::singleton().findOp({op.substr(0, dot), dot == std::string::npos ? "" : op.substr(dot + 1)});
  if (!handle.has_value() || !handle->hasKernelForDispatchKey(c10::DispatchKey::PrivateUse1)) {
    return false;
  }
  // "PrivateUse1: registered at FILE:LINE :: SCHEMA [ boxed unboxed ]"; a replaced kernel's line has "(inactive)"
  // before the colon.
  std::istringstream state(handle->dumpState());
  for (std::string line; std::getline(state, line);) {
    if (line.rfind("PrivateUse1: ", 0) == 0) {
      // Forwarded kernels know their types, but what they run is the CPU's.
      return line.find(" unboxed", line.rfind('[')) != std::string::npos &&
             line.find("src/ops/forwarded_") == std::string::npos;
    }
  }
  return false;
}

std::string near_native_kernels(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& op : c10::Dispatcher::singleton().getAllOpNames()) {
    known.push_back(c10::toString(op));
  }
  std::string text;
  int count = 0;
  for (const auto& candidate : by_distance(name, known)) {
    if (count < 3 && candidate != name && has_native_kernel(candidate)) {
      text += (count++ == 0 ? " Nearest with a kernel: '" : "', '") + candidate;
    }
  }
  return text.empty() ? "" : text + "'.";
}

}  // namespace openreg::fallback
