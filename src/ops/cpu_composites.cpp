#include "ops/cpu_composites.h"

#include "fallback/boxed.h"
#include "library.h"

namespace openreg::ops {
namespace {

void cpu_composite(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  fallback::run_by_policy(fallback::operator_info(op), Way::explicit_fallback, stack);
}

constexpr const char* kOperators[] = {
    "convolution",
    "convolution_backward",
};

}  // namespace

void register_cpu_composites() {
  auto& aten = library("aten", c10::DispatchKey::PrivateUse1);
  for (const char* op : kOperators) {
    aten.impl(op, torch::CppFunction::makeFromBoxedFunction<&cpu_composite>());
  }
}

}  // namespace openreg::ops
