// An operator without a gradient: a schema, and a kernel for each device.
#include <ATen/ops/empty.h>
#include <openreg/host_view.h>
#include <torch/csrc/autograd/autograd_not_implemented_fallback.h>
#include <torch/library.h>

#include <cmath>

#include "operators.h"

namespace example {
namespace {

void fill_buckets(const at::Tensor& input, double width, const at::Tensor& output) {
  TORCH_CHECK(input.scalar_type() == at::kFloat, "bucket takes float tensors, not ", input.scalar_type(), ".");
  TORCH_CHECK(width > 0, "bucket takes a width above 0, not ", width, ".");
  const auto contiguous = input.contiguous();
  const auto* const in = contiguous.const_data_ptr<float>();
  auto* const out = output.mutable_data_ptr<float>();
  for (std::int64_t i = 0; i < input.numel(); ++i) {
    out[i] = static_cast<float>(std::floor(in[i] / width));
  }
}

at::Tensor bucket_cpu(const at::Tensor& input, double width) {
  auto output = at::empty(input.sizes(), input.options());
  fill_buckets(input, width, output);
  return output;
}

// Device memory is reached through views of it, which are CPU tensors.
at::Tensor bucket_openreg(const at::Tensor& input, double width) {
  auto output = at::empty(input.sizes(), input.options());
  const openreg::HostView in(input);
  const openreg::MutableHostView out(output);
  fill_buckets(in.tensor(), width, out.tensor());
  return output;
}

at::Tensor bucket_meta(const at::Tensor& input, double) { return at::empty(input.sizes(), input.options()); }

}  // namespace

TORCH_LIBRARY_FRAGMENT(example, m) { m.def("bucket(Tensor input, float width) -> Tensor"); }
TORCH_LIBRARY_IMPL(example, CPU, m) { m.impl("bucket", bucket_cpu); }
TORCH_LIBRARY_IMPL(example, PrivateUse1, m) { m.impl("bucket", bucket_openreg); }
TORCH_LIBRARY_IMPL(example, Meta, m) { m.impl("bucket", bucket_meta); }

// A backward pass that reaches it throws "derivative for example::bucket is not implemented". Without this line
// libtorch warns, and takes the result for a constant.
TORCH_LIBRARY_IMPL(example, Autograd, m) { m.impl("bucket", torch::autograd::autogradNotImplementedFallback()); }

at::Tensor bucket(const at::Tensor& input, double width) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("example::bucket", "")
                             .typed<at::Tensor(const at::Tensor&, double)>();
  return op.call(input, width);
}

}  // namespace example
