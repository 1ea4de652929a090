// An operator with a kernel for the CPU alone, sent there by name. It runs on openreg tensors' memory without a copy,
// and also when the fallback is off for all others (OPENREG_FALLBACK=off).
#include <ATen/ops/argsort.h>
#include <openreg/operators.h>
#include <torch/library.h>

#include "operators.h"

namespace example {
namespace {

at::Tensor ranks_cpu(const at::Tensor& input) { return at::argsort(at::argsort(input)); }

}  // namespace

TORCH_LIBRARY_FRAGMENT(example, m) { m.def("ranks(Tensor input) -> Tensor"); }
TORCH_LIBRARY_IMPL(example, CPU, m) { m.impl("ranks", ranks_cpu); }
TORCH_LIBRARY_IMPL(example, PrivateUse1, m) {
  m.impl("ranks", torch::CppFunction::makeFromBoxedFunction<&openreg::cpu_fallback>());
}

at::Tensor ranks(const at::Tensor& input) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("example::ranks", "").typed<at::Tensor(const at::Tensor&)>();
  return op.call(input);
}

}  // namespace example
