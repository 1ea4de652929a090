// Calls that do not pass through at::_ops: the TorchScript interpreter's and those of custom operators.

#include <utility>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>

#include "hop.h"
#include "originals.h"
#include "recorder.h"

namespace openreg::trace::detail {
namespace {

// Note [Calls seen through RecordFunction]
// Dispatcher::call and ::callBoxed are compiled into their callers. On the way they ask at::getStepCallbacksUnlessEmpty
// whether anybody observes, and if so hand operator and key to Dispatcher::runRecordFunction. Both are exported and
// replaced here: a call that at::_ops has not reported already is given an observer of ours, beside those that are
// there. A call through at::_ops comes along here too; ThreadState::reported keeps it from being reported twice.

struct PendingCall {
  const c10::FunctionSchema* schema;
  c10::DispatchKeySet keys;
  Kind kind;
  c10::ArrayRef<c10::IValue> arguments;
};
thread_local constinit const PendingCall* pending = nullptr;

// Makes a call known to our observer, and only while its callbacks start.
class Pending {
 public:
  explicit Pending(const PendingCall& call) : outer_(std::exchange(pending, &call)) {}
  ~Pending() { pending = outer_; }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;

 private:
  const PendingCall* outer_;
};

struct OpenCall final : at::ObserverContext {
  explicit OpenCall(Frame* the_frame) : frame(the_frame) {}
  Frame* frame;
};

std::unique_ptr<at::ObserverContext> begin_observed(const at::RecordFunction& /*function*/) {
  const PendingCall* const call = std::exchange(pending, nullptr);
  if (call == nullptr) {
    return nullptr;
  }
  helpers().nesting_incr();
  const Arguments arguments{*call->schema, nullptr, call->arguments};
  Frame* const frame = begin_step(call->kind, interned(c10::toString(call->schema->operator_name())), call->keys,
                                  helpers().nesting_value(), &arguments);
  if (frame == nullptr) {
    helpers().nesting_decr();
    return nullptr;
  }
  return std::make_unique<OpenCall>(frame);
}

void end_observed(const at::RecordFunction& /*function*/, at::ObserverContext* context) {
  if (context != nullptr) {
    end_step(static_cast<OpenCall*>(context)->frame);
    helpers().nesting_decr();
  }
}

// An unboxed call boxes its arguments into an array in its own stack frame, next to ours; a boxed call passes the
// interpreter's stack, which lies on the heap. Our observer asks for inputs, so a call that hands over none has no
// arguments to box, which only an unboxed call would notice.
bool on_the_callers_stack(const void* arguments) {
  constexpr std::uintptr_t kFrames = 16 * 1024;
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const auto there = reinterpret_cast<std::uintptr_t>(arguments);
  return there > here && there - here < kFrames;
}

bool unseen(at::RecordScope scope) noexcept {
  if (off()) {
    return true;
  }
  ensure_ready();
  ThreadState& state = thread_state();
  state.probe_boxed = state.probe_boxed || state.probing;
  return scope != at::RecordScope::FUNCTION || state.busy || !tracing();
}

}  // namespace
}  // namespace openreg::trace::detail

namespace at {

std::optional<StepCallbacks> getStepCallbacksUnlessEmpty(RecordScope scope) {
  using namespace openreg::trace::detail;
  if (unseen(scope) || std::exchange(thread_state().reported, false)) {
    return helpers().step_callbacks(scope);
  }
  auto callbacks = helpers().step_callbacks(scope);
  if (!callbacks) {
    callbacks.emplace(RecordFunction::currentThreadId(), scope);
  }
  callbacks->callbacks_.push_back({&begin_observed, &end_observed});
  callbacks->needs_inputs_ = true;
  return callbacks;
}

}  // namespace at

namespace c10 {

void Dispatcher::runRecordFunction(at::RecordFunction& guard, at::RecordFunction::schema_ref_t schema_ref,
                                   DispatchKey dispatchKey, DispatchKeySet dispatchKeySet) {
  namespace trace = openreg::trace;
  const trace::detail::PendingCall call{&schema_ref.get(), dispatchKeySet, trace::Kind::call, {}};
  const trace::detail::Pending known(call);
  trace::detail::helpers().run_record_function(guard, schema_ref, dispatchKey, dispatchKeySet);
}

void Dispatcher::runRecordFunction(at::RecordFunction& guard, at::RecordFunction::schema_ref_t schema_ref,
                                   DispatchKey dispatchKey, DispatchKeySet dispatchKeySet,
                                   ArrayRef<const IValue> args) {
  namespace trace = openreg::trace;
  const auto kind = trace::detail::on_the_callers_stack(args.data()) ? trace::Kind::call : trace::Kind::call_boxed;
  const trace::detail::PendingCall call{&schema_ref.get(), dispatchKeySet, kind, args};
  const trace::detail::Pending known(call);
  trace::detail::helpers().run_record_function_with_inputs(guard, schema_ref, dispatchKey, dispatchKeySet, args);
}

}  // namespace c10
