#include "fallback/policy.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/Exception.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>

#include "device/environment.h"
#include "device/runtime.h"
#include "fallback/forcible.h"
#include "fallback/native_kernels.h"
#include "fallback/near_names.h"
#include "fallback/policy_words.h"

namespace openreg {
namespace fallback {

constinit std::atomic<bool> stock_mode{false};
constinit std::atomic<bool> forwarded_table_on{true};
constinit std::atomic<std::uint64_t> policy_epoch{1};
constinit std::atomic<FallbackWarning> warning_mode{FallbackWarning::once};
constinit thread_local int no_fallback_depth = 0;

namespace {

// The policy with its lists as sets of overloads.
struct Compiled {
  FallbackPolicy policy;
  std::set<std::string> forbid;
  std::set<std::string> allow;
  std::set<std::string> force;
};

struct State {
  std::mutex mutex;
  Compiled compiled;
};

// What the default forbid list expands to, known without asking the dispatcher at start.
const std::set<std::string> kDefaultForbidden{"aten::abs", "aten::abs.out"};

// Leaked: operators may run in destructors of static tensors.
State& state() {
  static auto* const instance = [] {
    auto* made = new State;
    made->compiled.forbid = kDefaultForbidden;
    made->compiled.policy.warning = FallbackWarning::once;
    made->compiled.policy.forwarded = true;
    return made;
  }();
  return *instance;
}

// All overloads of an operator, or the one that is named.
std::vector<std::string> expand(const char* list, const std::string& name) {
  std::vector<std::string> known;
  std::vector<std::string> found;
  for (const auto& op : c10::Dispatcher::singleton().getAllOpNames()) {
    auto text = to_text(op);
    if (text == name || (op.name == name && name.find('.') == std::string::npos)) {
      found.push_back(text);
    }
    known.push_back(std::move(text));
  }
  TORCH_CHECK(!found.empty(), "The fallback's ", list, " list names '", name, "', which no operator is called",
              near_names(name, known), ".");
  return found;
}

std::set<std::string> expand_all(const char* list, const std::vector<std::string>& names) {
  std::set<std::string> result;
  for (const auto& name : names) {
    for (auto& one : expand(list, name)) {
      result.insert(std::move(one));
    }
  }
  return result;
}

// A name without overload may stand for some that can be forced and some that cannot.
std::set<std::string> expand_force(const std::vector<std::string>& names) {
  std::set<std::string> result;
  for (const auto& name : names) {
    std::string reason;
    bool any = false;
    for (auto& one : expand("force", name)) {
      if (auto why = why_not_forcible(one); why.empty()) {
        any = true;
        result.insert(std::move(one));
      } else if (reason.empty() || one == name) {
        reason = "'" + one + "': " + why;
      }
    }
    TORCH_CHECK(any, "The fallback cannot be forced for ", reason);
  }
  return result;
}

// `shared` is locked by the caller.
Compiled compile(const FallbackPolicy& policy, const State& shared) {
  Compiled result;
  result.policy = policy;
  result.policy.warning = policy.warning.has_value() ? policy.warning : shared.compiled.policy.warning;
  result.policy.forwarded = policy.forwarded.has_value() ? policy.forwarded : shared.compiled.policy.forwarded;
  result.forbid = policy.forbid == FallbackPolicy{}.forbid ? kDefaultForbidden : expand_all("forbid", policy.forbid);
  result.allow = expand_all("allow", policy.allow);
  result.force = expand_force(policy.force);
  return result;
}

void install(Compiled compiled) {
  stock_mode.store(compiled.policy.mode == FallbackMode::stock, std::memory_order_relaxed);
  forwarded_table_on.store(*compiled.policy.forwarded, std::memory_order_relaxed);
  warning_mode.store(*compiled.policy.warning, std::memory_order_relaxed);
  state().compiled = std::move(compiled);
  policy_epoch.fetch_add(1, std::memory_order_release);
}

Verdict judge(const Compiled& compiled, const std::string& name) {
  const bool force = compiled.force.count(name) != 0;
  if (compiled.forbid.count(name) != 0) return force ? Verdict::blocked : Verdict::forbidden;
  if (force) return Verdict::force;
  if (compiled.policy.mode == FallbackMode::off) return Verdict::off;
  if (compiled.policy.mode == FallbackMode::selective && compiled.allow.count(name) == 0) return Verdict::unlisted;
  return Verdict::run;
}

}  // namespace

Verdict OperatorRecord::verdict() {
  const auto cached = verdict_.load(std::memory_order_acquire);
  const auto now = policy_epoch.load(std::memory_order_acquire);
  if (__builtin_expect((cached >> 8) == now, 1)) {
    return static_cast<Verdict>(cached & 0xff);
  }
  auto& shared = state();
  const std::lock_guard lock(shared.mutex);
  const auto verdict = judge(shared.compiled, name_);
  verdict_.store((policy_epoch.load(std::memory_order_acquire) << 8) | static_cast<std::uint64_t>(verdict),
                 std::memory_order_release);
  return verdict;
}

void read_policy_from_environment() {
  const auto& environment = device::environment();
  FallbackPolicy policy;
  policy.mode = value_of(kModeWords, environment.fallback);
  if (environment.fallback_forbid_set) {
    policy.forbid = environment.fallback_forbid;
  }
  policy.allow = environment.fallback_allow;
  policy.force = environment.fallback_force;
  policy.forwarded = environment.forwarded;
  policy.warning = value_of(kWarningWords, environment.fallback_warn);
  {
    auto& shared = state();
    const std::lock_guard lock(shared.mutex);
    install(compile(policy, shared));
  }
  if (environment.fallback_summary) {  // last: a policy that is refused is read again at the next use
    set_ledger(true);
    std::atexit([] { std::fputs(ledger_table(ledger()).c_str(), stderr); });
  }
}

void throw_not_implemented(const std::string& name, Verdict verdict) {
  const char* reason = "";
  const auto near =
      verdict == Verdict::forbidden || verdict == Verdict::blocked ? std::string() : near_native_kernels(name);
  switch (verdict) {
    case Verdict::forbidden:
    case Verdict::blocked:
      reason =
          "It is on the fallback's forbid list: take it off with openreg::set_fallback_policy or "
          "OPENREG_FALLBACK_FORBID.";
      break;
    case Verdict::off:
      reason =
          "It has no kernel of its own and the fallback is off: switch it on with openreg::set_fallback_policy "
          "or OPENREG_FALLBACK=global.";
      break;
    case Verdict::unlisted:
      reason =
          "It has no kernel of its own and is not on the selective fallback's list: add it with "
          "openreg::set_fallback_policy or OPENREG_FALLBACK_ALLOW.";
      break;
    case Verdict::run:
    case Verdict::force:
      reason = "It has no kernel of its own, and the CPU has none either.";
      break;
  }
  TORCH_CHECK_NOT_IMPLEMENTED(false, "Operator '", name, "' is not implemented for device ", device::kBackendName, ". ",
                              reason, near);
}

}  // namespace fallback

FallbackPolicy fallback_policy() {
  device::ensure_initialized();
  auto& shared = fallback::state();
  const std::lock_guard lock(shared.mutex);
  return shared.compiled.policy;
}

void set_fallback_policy(const FallbackPolicy& policy) {
  device::ensure_initialized();
  auto& shared = fallback::state();
  const std::lock_guard lock(shared.mutex);
  fallback::install(fallback::compile(policy, shared));
}

ExpectNoFallback::ExpectNoFallback() noexcept { ++fallback::no_fallback_depth; }

ExpectNoFallback::~ExpectNoFallback() { --fallback::no_fallback_depth; }

FallbackPolicyScope::FallbackPolicyScope(const FallbackPolicy& policy) : previous_(fallback_policy()) {
  set_fallback_policy(policy);
}

FallbackPolicyScope::~FallbackPolicyScope() {
  try {
    set_fallback_policy(previous_);
  } catch (...) {
    // An operator of the previous policy was unregistered meanwhile; the present policy stays.
  }
}

}  // namespace openreg
