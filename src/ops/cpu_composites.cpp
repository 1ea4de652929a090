#include "ops/cpu_composites.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include "fallback/boxed.h"
#include "fallback/forcible.h"
#include "library.h"

namespace openreg::ops {
namespace {

void cpu_composite(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  fallback::run_by_policy(fallback::operator_info(op), Way::explicit_fallback, stack);
}

// Operators without a CPU kernel of their own, whose composite kernel asks for the device, takes a DispatchStub of it,
// or reads the data itself. On host tensors the same composite is right. Autograd knows them by name.
constexpr const char* kOperators[] = {
    "convolution_backward",  // else convolution_backward_overrideable
    "conj_physical_",        // calls a stub
    "addr_",                 // refuses to resize self, which it knows by its address
    "kaiser_window",
    "kaiser_window.beta",
    "kaiser_window.periodic",
    "kaiser_window.out",
    "kaiser_window.beta_out",
    "kaiser_window.periodic_out",
    "mode.values",            // "mode only supports CPU, CUDA and XPU"
    "_batch_norm_no_update",  // calls batch_norm_cpu
    "_batch_norm_no_update.out",
    "range.out_",  // calls range_out of the CPU
};

// The same, but autograd does not know them: it is told that they have no gradient.
constexpr const char* kWithoutGradient[] = {
    "nanmean.out",               // calls a stub
    "_saturate_weight_to_fp16",  // read and write through data_ptr
    "_sobol_engine_draw",
    "_sobol_engine_ff_",
    "_sobol_engine_initialize_state_",
    "_sobol_engine_scramble_",
    "choose_qparams_optimized",
};

const fallback::OperatorInfo& info_of(const char* name) {
  return fallback::operator_info(c10::Dispatcher::singleton().findSchemaOrThrow(name, ""));
}

// What `_convolution`, the operator of traced modules, calls on a device that it does not know. It has a gradient.
void overrideable(const c10::OperatorHandle&, torch::jit::Stack* stack) {
  fallback::run_by_policy(info_of("aten::convolution"), Way::explicit_fallback, stack);
}

void overrideable_backward(const c10::OperatorHandle&, torch::jit::Stack* stack) {
  constexpr std::ptrdiff_t kArguments = 10;
  constexpr std::ptrdiff_t kBiasSizes = 3;  // its place in convolution_backward, which alone has it
  const auto first = stack->end() - kArguments;
  const c10::List<std::int64_t> bias_sizes({first->toTensor().size(1)});
  stack->insert(first + kBiasSizes, bias_sizes);
  fallback::run_by_policy(info_of("aten::convolution_backward"), Way::explicit_fallback, stack);
}

bool exists(const std::string& name) {
  const auto dot = name.find('.');
  return c10::Dispatcher::singleton()
      .findSchema({"aten::" + name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)})
      .has_value();
}

}  // namespace

void register_cpu_composites() {
  auto& aten = library("aten", c10::DispatchKey::PrivateUse1);
  auto& autograd = library("aten", c10::DispatchKey::AutogradPrivateUse1);
  for (const char* op : kOperators) {
    if (exists(op)) {  // not every libtorch has all of them
      aten.impl(op, torch::CppFunction::makeFromBoxedFunction<&cpu_composite>());
      fallback::mark_forcible(std::string("aten::") + op);
    }
  }
  for (const char* op : kWithoutGradient) {
    if (exists(op)) {
      aten.impl(op, torch::CppFunction::makeFromBoxedFunction<&cpu_composite>());
      fallback::mark_forcible(std::string("aten::") + op);
      autograd.impl(op, torch::CppFunction::makeFallthrough());
    }
  }
  aten.impl("convolution_overrideable", torch::CppFunction::makeFromBoxedFunction<&overrideable>());
  aten.impl("convolution_backward_overrideable", torch::CppFunction::makeFromBoxedFunction<&overrideable_backward>());
}

}  // namespace openreg::ops
