#pragma once

#include <atomic>
#include <string>

#include "fallback/operator_record.h"

namespace openreg::fallback {

// Note [Stock]
// The mode stock is the backend that registers the least and falls back with libtorch's own at::native::cpu_fallback.
// It is there to be measured against, so all that openreg does beyond it for speed is off: forwarded operators,
// recurrent layers as a whole, small copies without the CPU's copy kernel.
extern std::atomic<bool> stock_mode;

inline bool is_stock() noexcept { return stock_mode.load(std::memory_order_relaxed); }

// The policy's `forwarded`.
extern std::atomic<bool> forwarded_table_on;

// Changes whenever something changes that decides how operators fall back.
extern std::atomic<std::uint64_t> policy_epoch;

// The policy's warning.
extern std::atomic<FallbackWarning> warning_mode;

// How many ExpectNoFallback live on this thread.
extern constinit thread_local int no_fallback_depth;

// Reads the OPENREG_FALLBACK variables. Called once at first use of the device; throws on a bad word.
void read_policy_from_environment();

// The seed's sentence, then why and what to do about it. Always throws.
[[noreturn]] void throw_not_implemented(const std::string& name, Verdict verdict);

}  // namespace openreg::fallback
