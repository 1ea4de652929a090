#include "environment.h"

#include <iostream>

#include <openreg/trace.h>

#include <ATen/core/Tensor.h>
#include <ATen/ops/ones_ops.h>

#include "originals.h"
#include "recorder.h"

namespace openreg::trace {
namespace detail {
namespace {

std::size_t slot_of_call(std::string_view name, std::string_view overload) {
  std::size_t op = 0;
  while (op < hooked_operator_count &&
         (hooked_operators[op].name != name || hooked_operators[op].overload != overload)) {
    ++op;
  }
  return 2 * op;
}

// Calls libtorch's own aten::ones, whose kernel calls other operators, and looks whether one of them comes by here.
bool operators_come_by() {
  const std::size_t slot = slot_of_call("aten::ones", "");
  if (slot == 2 * hooked_operator_count) {
    return false;
  }
  ThreadState& state = thread_state();
  const Busy busy;
  state.probing = true;
  state.probe_operator = false;
  ++probes;
  update_gate();
  try {
    const c10::SymInt size(1);
    original<at::_ops::ones::ptr_schema>(slot)(c10::SymIntArrayRef(&size, 1), at::kFloat, at::kStrided,
                                               at::Device(at::kCPU), false);
  } catch (...) {
    // The answer is no.
  }
  --probes;
  update_gate();
  state.probing = false;
  return state.probe_operator;
}

}  // namespace

void start_for_environment() noexcept {
  try {
    const auto* const show = reinterpret_cast<const void*>(helpers().show_dispatch_trace);
    if (missing_original().empty() && helpers().show_dispatch_trace() &&
        owner_of(helper_symbols.show_dispatch_trace, show) != Owner::another_copy) {
      add_session(text_sink(std::cerr), {});
    }
  } catch (...) {
    // No memory for a trace: the program goes on without.
  }
}

void report_at_start() noexcept {
  if (!tracing()) {
    return;
  }
  try {
    if (const Interposition found = check_interposition(); !found.works) {
      std::cerr << "openreg: TORCH_SHOW_DISPATCH_TRACE: " + found.problem + "\n" << std::flush;
    }
  } catch (...) {
    // Nothing to say it with.
  }
}

}  // namespace detail

bool requested_by_environment() {
  detail::ensure_ready();
  return detail::helpers().show_dispatch_trace();
}

Interposition check_interposition() noexcept {
  using namespace detail;
  ensure_ready();
  try {
    if (!missing_original().empty()) {
      return {false, "libtorch's own " + missing_original() +
                         " is not found; the trace needs a libtorch linked as a shared library (not a static one)."};
    }
    if (operators_come_by()) {
      return {true, ""};
    }
    const std::size_t slot = slot_of_call("aten::empty", "memory_format");
    switch (owner_of(hooked_operators[slot / 2].call, originals[slot])) {
      case Owner::libtorch:
        return {false,
                "calls inside libtorch are not traced, because the program does not export the functions of the trace; "
                "link it without a version script (--version-script) that hides at::_ops, without --exclude-libs over "
                "the trace, and before libtorch."};
      case Owner::another_copy:
        return {false, "another copy of the dispatch trace comes first in this process; that one traces."};
      case Owner::us:
        break;
    }
    return {false,
            "calls inside libtorch are not traced, because libtorch binds its calls to itself; use a libtorch that is "
            "linked without -Bsymbolic (and without -Bsymbolic-functions or prelinked calls)."};
  } catch (...) {
    return {false, ""};
  }
}

}  // namespace openreg::trace
