#pragma once

namespace openreg::bench {

// Making and freeing tensors, copies within and between CPU and device, and cost that must not grow: with live
// tensors, devices, registered operators.
void add_memory_cases();
void add_copy_cases();
void add_growth_cases();

}  // namespace openreg::bench
