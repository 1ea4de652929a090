#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

namespace openreg::dispatch {

/// `op.redispatchBoxed(keys, stack)`, shown by the dispatch trace. In a file compiled with NDEBUG libtorch's own line
/// for it is compiled out; this writes the same line through the same functions. One call and a branch when off.
inline void redispatch_boxed(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
#ifdef NDEBUG
  if (__builtin_expect(c10::show_dispatch_trace(), 0)) {
    const c10::DispatchTraceNestingGuard nesting;
    c10::detail::_print_dispatch_trace("[redispatchBoxed]", c10::toString(op.operator_name()), keys);
    op.redispatchBoxed(keys, stack);
    return;
  }
#endif
  op.redispatchBoxed(keys, stack);
}

}  // namespace openreg::dispatch
