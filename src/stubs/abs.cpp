#include "stubs/abs.h"

#include <ATen/TensorIterator.h>
#include <ATen/ops/abs_native.h>
#include <c10/util/Exception.h>

#include "fallback/host_session.h"

namespace openreg::stubs {

void abs_kernel(at::TensorIteratorBase& iter) {
  TORCH_CHECK(iter.ntensors() == 2, "Abs kernel expects 2 tensors");
  const auto& output = iter.tensor(0);
  const auto& input = iter.tensor(1);
  TORCH_CHECK(input.sizes() == output.sizes(), "Input and output tensor sizes must match.");
  if (iter.numel() == 0) {
    return;
  }
  fallback::HostSession session("aten::abs");
  auto host_output = session.host(output, true);
  at::native::abs_out(session.host(input, false), host_output);
  session.write_back();
}

}  // namespace openreg::stubs
