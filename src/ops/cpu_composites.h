#pragma once

namespace openreg::ops {

// Composites that fail on a backend, or whose leaf there is an operator that no CPU kernel serves
// (convolution_overrideable): as a whole they run on the CPU.
void register_cpu_composites();

}  // namespace openreg::ops
