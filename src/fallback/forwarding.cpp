#include "fallback/forwarding.h"

#include "fallback/boxed.h"
#include "fallback/host_session.h"

namespace openreg::fallback {
namespace {

bool forwards() { return forwarded_table_on.load(std::memory_order_relaxed) && !is_stock(); }

// The warning for this operator is still to come, and the boxed engine gives it.
bool would_warn(const OperatorRecord& record) {
  const auto mode = warning_mode.load(std::memory_order_relaxed);
  return mode == FallbackWarning::always || (mode == FallbackWarning::once && !record.seen());
}

}  // namespace

bool ForwardedOperator::approve() {
  const auto epoch = policy_epoch.load(std::memory_order_acquire);
  const auto verdict = info_.record.verdict();
  const bool runs = verdict == Verdict::run || verdict == Verdict::force;
  if (!runs || !forwards() || would_warn(info_.record) || has_result_hook() || !info_.has_cpu_kernel ||
      host_access() != HostAccess::mapped) {
    return false;
  }
  approved_.store(epoch, std::memory_order_relaxed);
  return no_fallback_depth == 0;
}

void ForwardedOperator::run_boxed(torch::jit::Stack* stack) const {
  run_by_policy(info_, forwards() ? Way::forwarded : Way::explicit_fallback, stack);
}

}  // namespace openreg::fallback
