#include "session.h"

#include <algorithm>
#include <utility>

namespace openreg::trace::detail {

bool matches(std::string_view pattern, std::string_view text) {
  std::size_t star = std::string_view::npos;
  std::size_t retry = 0;
  std::size_t p = 0;
  std::size_t t = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]) && pattern[p] != '*') {
      ++p;
      ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

Session::Session(std::uint64_t number, std::shared_ptr<Sink> sink, Options options, std::uint64_t thread)
    : number_(number), sink_(std::move(sink)), options_(std::move(options)), thread_(thread) {}

bool Session::wants(const Event& event) {
  if (options_.this_thread_only && event.thread != thread_) {
    return false;
  }
  if (!options_.keys.empty() && !options_.keys.has(event.key)) {
    return false;
  }
  if (options_.operators.empty()) {
    return true;
  }
  const auto [known, added] = operators_.try_emplace(event.op.data(), false);
  if (added) {
    known->second = std::any_of(options_.operators.begin(), options_.operators.end(),
                                [&](const std::string& pattern) { return matches(pattern, event.op); });
  }
  return known->second;
}

bool Session::begin(const Event& event) {
  const std::lock_guard lock(mutex_);
  if (closed_ || !wants(event)) {
    return false;
  }
  if (options_.limit != 0 && taken_ == options_.limit) {
    ++dropped_;
    return false;
  }
  ++taken_;
  sink_->begin(event);
  return true;
}

void Session::end(const Event& event) {
  const std::lock_guard lock(mutex_);
  if (!closed_) {
    sink_->end(event);
  }
}

std::uint64_t Session::close() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(closed_, true)) {
    try {
      sink_->finish();
    } catch (...) {
      // The sink failed; the program goes on.
    }
  }
  return dropped_;
}

}  // namespace openreg::trace::detail
