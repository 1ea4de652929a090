#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/DispatchKeySet.h>

namespace openreg::trace::detail {

/// The key set that a call of the operator dispatches on, given the keys of its arguments: this thread's included and
/// excluded keys applied, and the keys removed at which the operator falls through.
c10::DispatchKeySet keys_of_call(const c10::OperatorHandle& op, c10::DispatchKeySet arguments);

}  // namespace openreg::trace::detail
