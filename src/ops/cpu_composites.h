#pragma once

namespace openreg::ops {

// Composites whose leaf for a backend is an operator that no CPU kernel serves (convolution_overrideable): as a
// whole they run on the CPU. They are explicit for autograd, so their gradient is not lost.
void register_cpu_composites();

}  // namespace openreg::ops
