#pragma once

#include <atomic>
#include <initializer_list>
#include <memory>
#include <string_view>

#include <openreg/trace.h>

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/SmallVector.h>

#pragma GCC visibility push(hidden)
namespace openreg::trace::detail {

class Session;

/// One step that has begun and not ended, with the sessions that took it.
struct Frame {
  Event event;
  c10::SmallVector<std::shared_ptr<Session>, 1> takers;
  Frame* outer = nullptr;
  bool printed_by_libtorch = false;  ///< ends when libtorch's own nesting guard does
};

/// What the trace knows about a thread.
struct ThreadState {
  Frame* top = nullptr;
  std::uint64_t thread = 0;
  bool busy = false;      ///< the trace itself is at work: steps are passed on unseen
  bool reported = false;  ///< the call under way is reported already; its RecordFunction must not be
  bool probing = false;   ///< check_interposition is looking
  bool probe_operator = false;
  bool probe_boxed = false;
};
ThreadState& thread_state() noexcept;

/// Keeps the trace from seeing its own steps.
class Busy {
 public:
  Busy() noexcept : state_(thread_state()), before_(state_.busy) { state_.busy = true; }
  ~Busy() { state_.busy = before_; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  ThreadState& state_;
  bool before_;
};

/// The arguments of a call, for Options::explain: the keys of those that take part in dispatch, or the values of all.
struct Arguments {
  const c10::FunctionSchema& schema;
  const std::initializer_list<c10::DispatchKeySet>* keys = nullptr;
  c10::ArrayRef<c10::IValue> values;
};

/// Reports a step; nullptr if nobody wants to know or something went wrong. `arguments` may be null.
Frame* begin_step(Kind kind, std::string_view op, c10::DispatchKeySet keys, std::int64_t depth,
                  const Arguments* arguments) noexcept;

/// Ends a step and forgets the frame.
void end_step(Frame* frame) noexcept;

/// start() without opening the gate.
std::uint64_t add_session(std::shared_ptr<Sink> sink, Options options);

/// Whether anybody traces; false when the environment asked for nothing and start() was not called.
bool tracing() noexcept;

/// Sets the gate to what the sessions and check_interposition need.
void update_gate() noexcept;
/// How many threads run check_interposition; update_gate() after a change.
extern std::atomic<int> probes;

/// The text with the lifetime of the program.
std::string_view interned(const std::string& text);

}  // namespace openreg::trace::detail
#pragma GCC visibility pop
