#pragma once

#include <string>

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <c10/core/DispatchKeySet.h>

// The keys that a call dispatches on, worked out without DispatchKeyExtractor: from the arguments' key sets, the
// thread's included and excluded keys, and the operator's fallthroughs as its printed table shows them.

/// The union of the arguments' keys; the generator's too where the call is unboxed.
c10::DispatchKeySet keys_in(const c10::IValue& value, bool with_generators);

/// What remains of the union for a call of this operator on this thread.
c10::DispatchKeySet expected_keys(const c10::OperatorName& op, c10::DispatchKeySet arguments);
