#pragma once

/// @file
/// The dispatch trace on a release libtorch: which operator was called or redispatched, with which key, by whom.
///
/// Link `openreg::dispatch_trace` and run with `TORCH_SHOW_DISPATCH_TRACE=1`: the program prints to stderr what a debug
/// build of libtorch prints. Or collect the events as values:
///
/// @code
///   openreg::trace::Collector collector;
///   at::ones({2, 2});
///   for (const auto& event : collector.stop()) std::cout << openreg::trace::line(event) << "\n";
/// @endcode
///
/// What can be seen and what cannot is said in docs/trace.md. Every function may be called from any thread. Operators
/// that a sink calls itself are not traced.

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <c10/core/DispatchKeySet.h>

namespace openreg::trace {

/// How an operator was reached; named as libtorch's own trace names them.
enum class Kind : std::uint8_t { call, redispatch, call_boxed, redispatch_boxed };

/// `call`, `redispatch`, `callBoxed` or `redispatchBoxed`.
std::string_view kind_name(Kind kind);

/// The keys that one tensor or generator argument brought; only with Options::explain.
struct Argument {
  std::string name;  ///< as in the operator's schema
  c10::DispatchKeySet keys;
};

/// One step through the dispatcher.
struct Event {
  Kind kind = Kind::call;
  std::string_view op;                                 ///< `aten::add.Tensor`; valid as long as the program runs
  c10::DispatchKey key = c10::DispatchKey::Undefined;  ///< the key that was chosen
  c10::DispatchKeySet keys;                            ///< the set that it was chosen from, highest priority wins
  std::int64_t depth = 0;                              ///< 1 for a call that no traced operator made
  std::uint64_t thread = 0;                            ///< the kernel's thread id
  std::uint64_t id = 0;                                ///< grows in the order of the steps
  std::uint64_t parent = 0;  ///< id of the step on this thread in which this one happened; 0 if there is none
  std::chrono::steady_clock::time_point start;
  std::optional<std::chrono::nanoseconds> duration;  ///< unset while the step runs

  // Only with Options::explain, and only for calls; a redispatch names its keys itself.
  std::vector<Argument> arguments;
  c10::DispatchKeySet included;  ///< keys that the thread added
  c10::DispatchKeySet excluded;  ///< keys that the thread took away
};

/// The line of libtorch's own trace for an event, without line end: ` [call] op=[aten::ones], key=[BackendSelect]`.
std::string line(const Event& event);

/// Why the key was chosen, in one sentence: what each argument brought, what the thread added or took away, what the
/// operator skips. Needs an event collected with Options::explain; otherwise only the set is named.
std::string explain(const Event& event);

/// Which events, and how much about them.
struct Options {
  std::vector<std::string> operators =
      {};                         ///< patterns over `aten::add.Tensor` with `*` and `?`; none means every operator
  c10::DispatchKeySet keys = {};  ///< only events whose chosen key is in the set; empty means every key
  std::uint64_t limit = 0;        ///< stop after so many events; 0 means no limit
  bool this_thread_only = false;  ///< only events of the thread that started
  bool explain = false;           ///< fill Event::arguments, included and excluded
};

/// Where events go. Calls for one tracing never overlap; `end` comes after `begin` of the same event, from the same
/// thread. Exceptions that a sink throws are swallowed: a trace must not change what the program does. A sink may
/// stop() its own tracing.
class Sink {
 public:
  virtual ~Sink();
  virtual void begin(const Event& event) = 0;
  virtual void end(const Event& event);  ///< the event again, now with its duration; does nothing by default
  virtual void finish();                 ///< after the last event; does nothing by default
};

/// libtorch's own format, one line when a step begins, flushed. With Options::explain a second line says why.
std::shared_ptr<Sink> text_sink(std::ostream& out);

/// One JSON object a line when a step ends: kind, op, key, keys, depth, thread, id, parent, start_ns, duration_ns.
std::shared_ptr<Sink> json_lines_sink(std::ostream& out);

/// A Chrome trace, which Perfetto and chrome://tracing open. The stream must live until the tracing is stopped.
std::shared_ptr<Sink> chrome_trace_sink(std::ostream& out);

/// Starts to send events to a sink, beside any others, and returns a number for stop().
/// @throws c10::Error if sink is null.
std::uint64_t start(std::shared_ptr<Sink> sink, Options options = {});

/// Ends what start() began and calls Sink::finish; unknown and stopped numbers are ignored. Returns how many events
/// were left out because of Options::limit.
std::uint64_t stop(std::uint64_t number);

/// Traces into a sink until destroyed.
class Scope {
 public:
  explicit Scope(std::shared_ptr<Sink> sink, Options options = {});
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  std::uint64_t number_;
};

/// Collects events in memory until stopped or destroyed.
class Collector {
 public:
  explicit Collector(Options options = {});
  ~Collector();
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  /// Ends the collection and returns its events in the order in which they began. Later calls return the same.
  const std::vector<Event>& stop();

  /// How many events were left out because of Options::limit; 0 before stop().
  std::uint64_t dropped() const;

 private:
  class Memory;
  std::shared_ptr<Memory> memory_;
  std::uint64_t number_;
  std::uint64_t dropped_ = 0;
};

/// Whether the environment asked for the trace: `c10::show_dispatch_trace()` of libtorch itself, 1 on, 0 off, other
/// words are off with libtorch's warning.
bool requested_by_environment();

/// Whether calls inside libtorch reach the trace, and if not, why and what to change.
struct Interposition {
  bool works = false;
  std::string problem;  ///< one sentence; empty if it works
};

/// Runs one small operator on this thread, untraced, and looks. Never throws.
Interposition check_interposition() noexcept;

}  // namespace openreg::trace
