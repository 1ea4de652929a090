#pragma once

#include <cstddef>

// Hidden also where they are only declared: no table lookup on the way through.
#pragma GCC visibility push(hidden)
namespace openreg::trace::detail {

/// One operator whose at::_ops functions are interposed, with the symbols of libtorch's own.
struct HookedOperator {
  const char* name;
  const char* overload;
  const char* call;
  const char* redispatch;
};

/// Symbols of the other functions of libtorch that the trace replaces or asks.
struct HelperSymbols {
  const char* step_callbacks;
  const char* run_record_function;
  const char* run_record_function_with_inputs;
  const char* show_dispatch_trace;
  const char* print_dispatch_trace;
  const char* nesting_incr;
  const char* nesting_decr;
  const char* nesting_value;
};

// Written by the generator.
extern const HookedOperator hooked_operators[];
extern const std::size_t hooked_operator_count;
extern const HelperSymbols helper_symbols;

/// libtorch's functions: call of operator i at 2 i, redispatch at 2 i + 1. Filled before the gate opens.
extern void* originals[];

}  // namespace openreg::trace::detail
#pragma GCC visibility pop
