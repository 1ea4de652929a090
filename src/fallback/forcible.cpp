#include "fallback/forcible.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <mutex>
#include <unordered_set>

namespace openreg::fallback {
namespace {

using c10::DispatchKey;

struct Marked {
  std::mutex mutex;
  std::unordered_set<std::string> names;
};

// Leaked: a policy may be set in a destructor of a static object.
Marked& marked() {
  static auto* const instance = new Marked;
  return *instance;
}

bool is_marked(const std::string& name) {
  auto& all = marked();
  const std::lock_guard lock(all.mutex);
  return all.names.count(name) != 0;
}

}  // namespace

void mark_forcible(std::string name) {
  auto& all = marked();
  const std::lock_guard lock(all.mutex);
  all.names.insert(std::move(name));
}

std::string why_not_forcible(const std::string& name) {
  if (is_marked(name)) {
    return "";
  }
  const auto dot = name.find('.');
  const auto op =
      c10::Dispatcher::singleton().findOp({name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)});
  if (!op.has_value() || !op->hasSchema()) {
    return "no operator of that name is defined.";
  }
  if (op->hasKernelForDispatchKey(DispatchKey::PrivateUse1)) {
    return op->hasKernelForDispatchKey(DispatchKey::CPU)
               ? "its kernel for the device does not give way to the CPU's. It makes, views or copies device memory, "
                 "draws from the device's generator, or was registered by the program."
               : "it has a kernel for the device, and the CPU has none.";
  }
  if (op->hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd)) {
    return "it is composite, and sending it to the CPU as a whole would lose its gradient. Force the operators that "
           "it calls; openreg::ledger() shows them.";
  }
  if (op->hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutograd) ||
      op->hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutogradNonFunctional)) {
    return "it is composite, and never falls back itself. Force the operators that it calls; openreg::ledger() shows "
           "them.";
  }
  return op->hasComputedKernelForDispatchKey(DispatchKey::CPU) ? "" : "the CPU has no kernel for it.";
}

}  // namespace openreg::fallback
