#pragma once

#include <ATen/native/CPUFallback.h>

#include "fallback/boxed.h"
#include "fallback/operator_record.h"

namespace openreg::fallback {

// What a wrapper does around a kernel of openreg's own. `Op` is at::_ops::NAME.

template <typename Op>
OperatorRecord& record_of() {
  static auto& record = operator_record(*Op::overload_name == '\0' ? std::string(Op::name)
                                                                   : std::string(Op::name) + "." + Op::overload_name);
  return record;
}

// Counts the call. For kernels that no CPU kernel can stand in for: factories, storage and copies.
template <typename Op, Way way, typename Kernel, typename... Arguments>
decltype(auto) counted_call(Kernel kernel, Arguments&&... arguments) {
  const LedgerTimer timer(record_of<Op>(), way);
  return kernel(std::forward<Arguments>(arguments)...);
}

// Lets the policy's force list send the call to the CPU kernel. The kernel counts itself.
template <typename Op, typename Kernel, typename... Arguments>
decltype(auto) forcible_call(Kernel kernel, Arguments&&... arguments) {
  const auto verdict = record_of<Op>().verdict();
  if (C10_UNLIKELY(verdict == Verdict::force || verdict == Verdict::blocked)) {
    record_of<Op>().mark_forced();
    return at::native::call_fallback_fn<&global_fallback, Op>::call(std::forward<Arguments>(arguments)...);
  }
  return kernel(std::forward<Arguments>(arguments)...);
}

}  // namespace openreg::fallback
