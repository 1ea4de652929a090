// Code compiled without NDEBUG holds libtorch's own trace, for the calls that it makes itself. It asks and prints
// through functions that libtorch exports; they are replaced so that its lines become events too, come out whole, and
// are not reported a second time by Note [Calls seen through RecordFunction].

#include <ATen/core/dispatch/Dispatcher.h>

#include "hop.h"
#include "originals.h"
#include "recorder.h"

namespace openreg::trace::detail {
namespace {

Kind kind_of(const std::string& label) {
  for (const Kind kind : {Kind::call, Kind::redispatch, Kind::call_boxed, Kind::redispatch_boxed}) {
    if (label.size() > 2 && label.compare(1, label.size() - 2, kind_name(kind)) == 0) {
      return kind;
    }
  }
  TORCH_CHECK(false, "libtorch printed a dispatch trace with a label that is not known: ", label);
}

}  // namespace
}  // namespace openreg::trace::detail

namespace c10 {

bool show_dispatch_trace() {
  using namespace openreg::trace::detail;
  ensure_ready();
  return (tracing() && !thread_state().busy) || helpers().show_dispatch_trace();
}

void dispatch_trace_nesting_decr() {
  using namespace openreg::trace::detail;
  ensure_ready();
  Frame* const top = thread_state().top;
  if (top != nullptr && top->printed_by_libtorch && top->event.depth == helpers().nesting_value()) {
    thread_state().reported = false;
    end_step(top);
  }
  helpers().nesting_decr();
}

namespace detail {

void _print_dispatch_trace(const std::string& label, const std::string& op_name, const DispatchKeySet& keys) {
  namespace trace = openreg::trace;
  trace::detail::ensure_ready();
  auto& state = trace::detail::thread_state();
  if (state.busy || !trace::detail::tracing()) {
    return;
  }
  const trace::Kind kind = trace::detail::kind_of(label);
  trace::detail::Frame* const frame = trace::detail::begin_step(kind, trace::detail::interned(op_name), keys,
                                                                trace::detail::helpers().nesting_value(), nullptr);
  if (frame != nullptr) {
    frame->printed_by_libtorch = true;
  }
  state.reported = kind == trace::Kind::call || kind == trace::Kind::call_boxed;
}

}  // namespace detail
}  // namespace c10
