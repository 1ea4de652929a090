#pragma once

#include <torch/library.h>

#include <atomic>

#include "device/runtime.h"
#include "fallback/operator_info.h"
#include "fallback/policy.h"

namespace openreg::fallback {

// One operator of the forwarded tables.
class ForwardedOperator {
 public:
  explicit ForwardedOperator(const c10::OperatorHandle& op) : info_(operator_info(op)) {}
  ForwardedOperator(const ForwardedOperator& other) : info_(other.info_) {}
  ForwardedOperator& operator=(const ForwardedOperator&) = delete;

  // Whether a call may go straight to the CPU kernel: nothing but its arguments can ask for the boxed engine. Two
  // loads and a compare unless the policy changed since the last call.
  bool may_go_straight() {
    return C10_LIKELY(approved_.load(std::memory_order_relaxed) == policy_epoch.load(std::memory_order_relaxed))
               ? no_fallback_depth == 0 && device::is_initialized()
               : approve();
  }

  // The boxed engine, which knows all the rest. `stack` as in run_by_policy.
  void run_boxed(torch::jit::Stack* stack) const;

  const OperatorInfo& info() const noexcept { return info_; }

 private:
  bool approve();

  const OperatorInfo& info_;
  std::atomic<std::uint64_t> approved_{0};  // the policy's epoch in which approve() said yes
};

// An entry of a table of forwarded operators.
struct Forwarded {
  const char* name;
  const char* overload;
  // Registers the kernel in a library of the operator's namespace.
  void (*add)(torch::Library& library, const char* name, const c10::OperatorHandle& op);
};

}  // namespace openreg::fallback
