// A kernel for an operator that libtorch has: its stub. libtorch's own code makes the output and the iterator; the
// kernel sees two tensors and fills one. `openreg_demo stubs` lists the stubs.
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/UnaryOps.h>
#include <ATen/ops/angle_native.h>
#include <openreg/host_view.h>
#include <torch/library.h>

#include <cmath>
#include <limits>

namespace {

template <typename T>
T angle_of(T x) {
  return std::isnan(x) ? x : x < 0 ? static_cast<T>(3.14159265358979323846) : T(0);
}

// Any layout: the iterator over the host views walks both tensors by their strides.
void angle_kernel(at::TensorIteratorBase& iter) {
  const openreg::HostView in(iter.tensor(1));
  const openreg::MutableHostView out(iter.tensor(0));
  auto host =
      at::TensorIteratorConfig().add_output(out.tensor()).add_const_input(in.tensor()).resize_outputs(false).build();
  AT_DISPATCH_FLOATING_TYPES(host.dtype(), "angle", [&] {
    host.for_each([](char** data, const std::int64_t* strides, std::int64_t n) {
      for (std::int64_t i = 0; i < n; ++i) {
        *reinterpret_cast<scalar_t*>(data[0] + i * strides[0]) =
            angle_of(*reinterpret_cast<const scalar_t*>(data[1] + i * strides[1]));
      }
    });
  });
}

}  // namespace

// A function of another signature does not compile.
namespace at::native {
REGISTER_PRIVATEUSE1_DISPATCH(angle_stub, &angle_kernel)
}

// The slot alone is never reached, for the fallback answers first: the operator itself needs a kernel, libtorch's.
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("angle", at::native::angle);
  m.impl("angle.out", at::native::angle_out);
}
