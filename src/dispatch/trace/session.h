#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include <openreg/trace.h>

#pragma GCC visibility push(hidden)
namespace openreg::trace::detail {

/// Whether the text matches a pattern with `*` and `?`.
bool matches(std::string_view pattern, std::string_view text);

/// One tracing: options, sink, and what they have let through.
class Session {
 public:
  Session(std::uint64_t number, std::shared_ptr<Sink> sink, Options options, std::uint64_t thread);

  std::uint64_t number() const { return number_; }
  bool explains() const { return options_.explain; }

  /// Sends the event to the sink if the options want it.
  bool begin(const Event& event);
  void end(const Event& event);
  /// Finishes the sink; events that end later are ignored. Returns how many events the limit kept out.
  std::uint64_t close();

 private:
  bool wants(const Event& event);

  const std::uint64_t number_;
  const std::shared_ptr<Sink> sink_;
  const Options options_;
  const std::uint64_t thread_;
  std::recursive_mutex mutex_;                       // a sink may stop its own tracing
  std::unordered_map<const char*, bool> operators_;  // by the address of the interned name
  std::uint64_t taken_ = 0;
  std::uint64_t dropped_ = 0;
  bool closed_ = false;
};

}  // namespace openreg::trace::detail
#pragma GCC visibility pop
