// An operator with a kernel for the CPU alone, and nothing more: openreg's fallback for all operators takes it. Which
// operators may use it is a matter of policy: OPENREG_FALLBACK_FORBID=example::reversed.
#include <ATen/ops/flip.h>
#include <torch/library.h>

#include "operators.h"

namespace example {
namespace {

at::Tensor reversed_cpu(const at::Tensor& input) { return at::flip(input, {-1}); }

}  // namespace

TORCH_LIBRARY_FRAGMENT(example, m) { m.def("reversed(Tensor input) -> Tensor"); }
TORCH_LIBRARY_IMPL(example, CPU, m) { m.impl("reversed", reversed_cpu); }

at::Tensor reversed(const at::Tensor& input) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("example::reversed", "").typed<at::Tensor(const at::Tensor&)>();
  return op.call(input);
}

}  // namespace example
