#include "stubs/abs.h"

#include <ATen/TensorIterator.h>
#include <ATen/ops/abs_native.h>
#include <c10/util/Exception.h>

#include <memory>

#include "device/allocator.h"
#include "device/runtime.h"
#include "device/streams.h"
#include "fallback/host_session.h"
#include "stubs/abs_loop.h"

namespace openreg::stubs {

AbsLoop abs_loop(c10::ScalarType dtype) {
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  return has_avx2 ? avx2::abs_loop(dtype) : baseline::abs_loop(dtype);
}

namespace {

void run(at::TensorIteratorBase& iter, AbsLoop loop) {
  iter.unsafe_replace_operand(0, device::to_host(iter.data_ptr(0)));
  iter.unsafe_replace_operand(1, device::to_host(iter.data_ptr(1)));
  iter.for_each([loop](char** data, const std::int64_t* strides, std::int64_t inner, std::int64_t outer) {
    for (std::int64_t i = 0; i < outer; ++i) {
      loop(data[0] + i * strides[2], strides[0], data[1] + i * strides[3], strides[1], inner);
    }
  });
}

// As on a real device: the caller goes on while the stream computes. The task keeps the storages, not the tensors, so
// that whoever asks whether a tensor is shared gets the true answer.
struct AbsLaunch {
  explicit AbsLaunch(const at::TensorIteratorBase& its_iter)
      : iter(its_iter), out(its_iter.tensor(0).storage()), in(its_iter.tensor(1).storage()) {}

  at::TensorIterator iter;
  c10::Storage out;
  c10::Storage in;
};

void launch_on_stream(const at::TensorIteratorBase& iter, AbsLoop loop) {
  const auto stream = device::current_stream(iter.device(0).index());
  auto launch = std::make_shared<AbsLaunch>(iter);
  device::record_stream(launch->out.data(), stream);
  device::record_stream(launch->in.data(), stream);
  device::launch_in_order(stream, [launch = std::move(launch), loop] { run(launch->iter, loop); });
}

}  // namespace

void abs_kernel(at::TensorIteratorBase& iter) {
  TORCH_CHECK(iter.ntensors() == 2, "Abs kernel expects 2 tensors");
  TORCH_CHECK(iter.tensor(0).sizes() == iter.tensor(1).sizes(), "Input and output tensor sizes must match.");
  const auto loop = iter.dtype(0) == iter.dtype(1) ? abs_loop(iter.dtype(0)) : nullptr;
  if (loop != nullptr && fallback::host_access() == fallback::HostAccess::mapped) {
    // The iterator's shape and strides hold on the device as they are: one loop serves every layout, and for_each
    // spreads it over the threads. Only the addresses are translated to where the bytes lie.
    if (C10_UNLIKELY(device::runs_asynchronously())) {
      launch_on_stream(iter, loop);
      return;
    }
    device::order_with_current_stream(iter.device(0).index());
    run(iter, loop);
    return;
  }
  // Complex numbers, conversions into another dtype, dtypes that the CPU refuses, and devices without host access.
  fallback::HostSession session("aten::abs");
  auto output = session.host(iter.tensor(0), true);
  at::native::abs_out(session.host(iter.tensor(1), false), output);
  session.write_back();
}

}  // namespace openreg::stubs
