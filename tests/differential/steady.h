#pragma once

#include "differential/call.h"

namespace openreg::differential {

// Whether the CPU gives the same again while the memory that it gets holds something else. Kernels that leave part of
// their results uninitialised do not.
bool cpu_is_steady(const c10::OperatorHandle& op, const torch::jit::Stack& arguments, const Call& first,
                   std::uint64_t seed);

}  // namespace openreg::differential
