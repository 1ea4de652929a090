#pragma once

namespace openreg::device {

// Lets libtorch's profiler measure time on openreg: see docs/profiler.md.
void register_profiler();

}  // namespace openreg::device
