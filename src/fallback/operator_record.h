#pragma once

#include <ATen/core/operator_name.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "openreg/fallback.h"

namespace openreg::fallback {

inline constexpr std::size_t kWayCount = 5;

// What the policy in force says about an operator.
enum class Verdict : std::uint8_t {
  run,        // may fall back; a native kernel runs as it is
  force,      // goes to the CPU kernel even when it has a kernel of its own
  forbidden,  // on the forbid list: may not fall back, a native kernel runs as it is
  blocked,    // on the force and the forbid list: no way is left, not even the native kernel
  off,        // the fallback is off
  unlisted,   // selective, and not on the allow list
};

// One operator's counts and its cached verdict. Made once for a name, never destroyed.
class OperatorRecord {
 public:
  explicit OperatorRecord(std::string name) : name_(std::move(name)) {}

  const std::string& name() const noexcept { return name_; }

  // The policy's verdict: one load and a compare unless the policy changed since.
  Verdict verdict();

  void count(Way way, std::uint64_t nanoseconds, std::uint64_t bytes) noexcept {
    auto& counter = counters_[static_cast<std::size_t>(way)];
    counter.calls.fetch_add(1, std::memory_order_relaxed);
    counter.nanoseconds.fetch_add(nanoseconds, std::memory_order_relaxed);
    if (bytes != 0) {
      counter.bytes.fetch_add(bytes, std::memory_order_relaxed);
    }
  }

  LedgerEntry entry(Way way) const;
  void reset() noexcept;

  // True the first time it is asked: for warnings that come once an operator.
  bool first_time() noexcept {
    return !seen_.load(std::memory_order_relaxed) && !seen_.exchange(true, std::memory_order_relaxed);
  }

  // Whether first_time() was asked before.
  bool seen() const noexcept { return seen_.load(std::memory_order_relaxed); }

  void mark_forced() noexcept { forced_.store(true, std::memory_order_relaxed); }

 private:
  struct Counter {
    std::atomic<std::uint64_t> calls{0};
    std::atomic<std::uint64_t> nanoseconds{0};
    std::atomic<std::uint64_t> bytes{0};
  };

  const std::string name_;
  std::atomic<std::uint64_t> verdict_{0};  // (policy epoch << 8) | verdict
  std::atomic<bool> seen_{false};
  std::atomic<bool> forced_{false};
  std::array<Counter, kWayCount> counters_;
};

// The record of an operator, made when it is asked for the first time. `name` as "aten::add.Tensor".
OperatorRecord& operator_record(const std::string& name);
std::string to_text(const c10::OperatorName& name);

extern std::atomic<bool> ledger_switch;

// Times and counts one call when the ledger is on.
class LedgerTimer {
 public:
  LedgerTimer(OperatorRecord& record, Way way) noexcept : record_(record), way_(way) {
    if (__builtin_expect(ledger_switch.load(std::memory_order_relaxed), 0)) {
      start_ = std::chrono::steady_clock::now();
      on_ = true;
    }
  }
  ~LedgerTimer() {
    if (__builtin_expect(on_, 0)) {
      const auto spent = std::chrono::steady_clock::now() - start_;
      record_.count(way_, static_cast<std::uint64_t>(std::chrono::nanoseconds(spent).count()), bytes_);
    }
  }
  LedgerTimer(const LedgerTimer&) = delete;
  LedgerTimer& operator=(const LedgerTimer&) = delete;

  void add_bytes(std::uint64_t bytes) noexcept { bytes_ += bytes; }

 private:
  OperatorRecord& record_;
  Way way_;
  bool on_ = false;
  std::uint64_t bytes_ = 0;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace openreg::fallback
