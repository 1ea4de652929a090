#pragma once

#include <c10/core/ScalarType.h>

#include <cstdint>

// The inner loop of abs, compiled once for each CPU capability: see CMakeLists.txt.
namespace openreg::stubs {

// n elements at byte strides; out and in are what TensorIterator hands to a loop.
using AbsLoop = void (*)(char* out, std::int64_t out_stride, const char* in, std::int64_t in_stride, std::int64_t n);

// The loop for a dtype, or null for dtypes whose absolute value needs more than a sign (complex, bool and others).
// The best that the running processor can do.
AbsLoop abs_loop(c10::ScalarType dtype);

namespace baseline {
AbsLoop abs_loop(c10::ScalarType dtype);
}
namespace avx2 {
AbsLoop abs_loop(c10::ScalarType dtype);
}

}  // namespace openreg::stubs
