#pragma once

namespace at {
struct TensorIteratorBase;
}

namespace openreg::stubs {

// The kernel behind at::native::abs_stub for openreg: every dtype and layout that the CPU takes. The seed's kernel
// was limited to contiguous float tensors; this one is not.
void abs_kernel(at::TensorIteratorBase& iter);

}  // namespace openreg::stubs
