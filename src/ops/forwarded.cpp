#include "ops/forwarded.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include "fallback/forcible.h"

namespace openreg::ops {
namespace {

std::vector<std::string>& names() {
  static auto* const instance = new std::vector<std::string>;
  return *instance;
}

}  // namespace

void register_forwarded(torch::Library& library, std::span<const fallback::Forwarded> table) {
  for (const auto& entry : table) {
    const c10::OperatorName name{entry.name, entry.overload};
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    if (op.has_value() && !op->hasKernelForDispatchKey(c10::DispatchKey::PrivateUse1)) {
      const auto text = fallback::to_text(name);
      entry.add(library, text.c_str(), *op);
      names().push_back(text);
      fallback::mark_forcible(text);
    }
  }
}

void register_forwarded_operators() {
  register_forwarded_pointwise();
  register_forwarded_network();
  register_forwarded_shape();
}

const std::vector<std::string>& forwarded_operators() { return names(); }

}  // namespace openreg::ops
