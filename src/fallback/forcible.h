#pragma once

#include <string>

namespace openreg::fallback {

// Which operators a policy can force to their CPU kernel: those that the dispatcher sends to m.fallback, and those
// with a kernel for openreg that asks the policy, which is marked here when it is registered.

// Marks an operator ("aten::abs.out") whose kernel for openreg runs the CPU kernel when the policy says so.
void mark_forcible(std::string name);

// Why an operator cannot be forced, to follow "'NAME' cannot be forced: "; "" when it can.
std::string why_not_forcible(const std::string& name);

}  // namespace openreg::fallback
