#include "stubs/abs.h"

#include <ATen/TensorIterator.h>
#include <ATen/ops/abs_native.h>
#include <c10/util/Exception.h>

#include "device/runtime.h"
#include "fallback/host_session.h"
#include "stubs/abs_loop.h"

namespace openreg::stubs {

AbsLoop abs_loop(c10::ScalarType dtype) {
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  return has_avx2 ? avx2::abs_loop(dtype) : baseline::abs_loop(dtype);
}

void abs_kernel(at::TensorIteratorBase& iter) {
  TORCH_CHECK(iter.ntensors() == 2, "Abs kernel expects 2 tensors");
  TORCH_CHECK(iter.tensor(0).sizes() == iter.tensor(1).sizes(), "Input and output tensor sizes must match.");
  const auto loop = iter.dtype(0) == iter.dtype(1) ? abs_loop(iter.dtype(0)) : nullptr;
  if (loop != nullptr && fallback::host_access() == fallback::HostAccess::mapped) {
    // The launch. The iterator's shape and strides hold on the device as they are: one loop serves every layout,
    // and for_each spreads it over the threads. Only the addresses are translated to where the bytes lie.
    iter.unsafe_replace_operand(0, device::to_host(iter.data_ptr(0)));
    iter.unsafe_replace_operand(1, device::to_host(iter.data_ptr(1)));
    iter.for_each([loop](char** data, const std::int64_t* strides, std::int64_t inner, std::int64_t outer) {
      for (std::int64_t i = 0; i < outer; ++i) {
        loop(data[0] + i * strides[2], strides[0], data[1] + i * strides[3], strides[1], inner);
      }
    });
    return;
  }
  // Complex numbers, conversions into another dtype, dtypes that the CPU refuses, and devices without host access.
  fallback::HostSession session("aten::abs");
  auto output = session.host(iter.tensor(0), true);
  at::native::abs_out(session.host(iter.tensor(1), false), output);
  session.write_back();
}

}  // namespace openreg::stubs
