#include "fallback/explicit_set.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <map>
#include <memory>
#include <mutex>

#include "fallback/boxed.h"
#include "fallback/forcible.h"
#include "library.h"

namespace openreg::fallback {
namespace {

// The boxed fallback bound to one operator: no look-up at the call.
class ExplicitFallback final : public c10::OperatorKernel {
 public:
  explicit ExplicitFallback(const c10::OperatorHandle& op) : info_(operator_info(op)) {}

  void operator()(const c10::OperatorHandle&, c10::DispatchKeySet, torch::jit::Stack* stack) {
    run_by_policy(info_, Way::explicit_fallback, stack);
  }

 private:
  const OperatorInfo& info_;
};

bool takes_composite(const c10::OperatorHandle& op) {
  using c10::DispatchKey;
  if (!op.hasKernelForDispatchKey(DispatchKey::CPU) || op.hasKernelForDispatchKey(DispatchKey::PrivateUse1)) {
    return false;
  }
  return op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutogradNonFunctional) ||
         op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutograd) ||
         (op.hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd) &&
          op.hasKernelForDispatchKey(DispatchKey::Autograd));
}

// Leaked: the registrations stay until the process ends.
torch::Library& library(const std::string& ns) {
  static auto* const libraries = new std::map<std::string, std::unique_ptr<torch::Library>>;
  auto& entry = (*libraries)[ns];
  if (entry == nullptr) {
    entry = std::make_unique<torch::Library>(torch::Library::IMPL, ns, c10::DispatchKey::PrivateUse1,
                                             source_path(__FILE__), __LINE__);
  }
  return *entry;
}

}  // namespace

void register_explicit_set() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  auto& dispatcher = c10::Dispatcher::singleton();
  for (const auto& name : dispatcher.getAllOpNames()) {
    const auto op = dispatcher.findSchema(name);
    if (!op.has_value() || !takes_composite(*op)) {
      continue;
    }
    const auto colon = name.name.find("::");
    library(name.name.substr(0, colon))
        .impl(to_text(name).c_str(), torch::CppFunction::makeFromBoxedFunctor(std::make_unique<ExplicitFallback>(*op)));
    mark_forcible(to_text(name));
  }
}

}  // namespace openreg::fallback
