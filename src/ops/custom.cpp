#include "ops/custom.h"

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/empty.h>

#include <cmath>

#include "openreg/host_view.h"

namespace openreg::ops {
namespace {

constexpr std::int64_t kGrain = 16 * 1024;

// output[i] = function(a[i], b[i], ...). The output is contiguous, and all are CPU tensors of its size and dtype.
template <typename T, typename Function, typename... Inputs>
void fill(const at::Tensor& output, Function function, const Inputs&... inputs) {
  auto* const out = output.mutable_data_ptr<T>();
  const auto loop = [&](const auto*... in) {
    at::parallel_for(0, output.numel(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        out[i] = static_cast<T>(function(static_cast<at::opmath_type<T>>(in[i])...));
      }
    });
  };
  loop(inputs.template const_data_ptr<T>()...);
}

void softsign(const at::Tensor& output, const at::Tensor& input) {
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, input.scalar_type(), "custom_softsign", [&] {
    fill<scalar_t>(
        output, [](auto x) { return x / (1 + std::abs(x)); }, input.contiguous());
  });
}

void softsign_backward(const at::Tensor& output, const at::Tensor& gradient, const at::Tensor& input) {
  TORCH_CHECK(gradient.sizes() == input.sizes() && gradient.scalar_type() == input.scalar_type(),
              "custom_softsign_backward: expected a gradient like the input, ", input.scalar_type(), input.sizes(),
              ", but got ", gradient.scalar_type(), gradient.sizes(), ".");
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, input.scalar_type(), "custom_softsign_backward", [&] {
    fill<scalar_t>(
        output,
        [](auto grad, auto x) {
          const auto one_plus = 1 + std::abs(x);
          return grad / (one_plus * one_plus);
        },
        gradient.contiguous(), input.contiguous());
  });
}

void cube(const at::Tensor& output, const at::Tensor& input) {
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, input.scalar_type(), "custom_cube", [&] {
    fill<scalar_t>(
        output, [](auto x) { return x * x * x; }, input.contiguous());
  });
}

at::Tensor result_like(const at::Tensor& input) { return at::empty(input.sizes(), input.options()); }

}  // namespace

at::Tensor custom_abs_any(const at::Tensor& input) { return at::abs(input); }

at::Tensor custom_softsign_cpu(const at::Tensor& input) {
  auto output = result_like(input);
  softsign(output, input);
  return output;
}

at::Tensor custom_softsign_device(const at::Tensor& input) {
  auto output = result_like(input);
  softsign(MutableHostView(output).tensor(), HostView(input).tensor());
  return output;
}

at::Tensor custom_softsign_backward_cpu(const at::Tensor& gradient, const at::Tensor& input) {
  auto output = result_like(input);
  softsign_backward(output, gradient, input);
  return output;
}

at::Tensor custom_softsign_backward_device(const at::Tensor& gradient, const at::Tensor& input) {
  TORCH_CHECK(
      gradient.device() == input.device(),
      "custom_softsign_backward: Expected all tensors to be on the same device, but found at least two devices, ",
      gradient.device(), " and ", input.device(), "!");
  auto output = result_like(input);
  softsign_backward(MutableHostView(output).tensor(), HostView(gradient).tensor(), HostView(input).tensor());
  return output;
}

at::Tensor custom_cube_cpu(const at::Tensor& input) {
  auto output = result_like(input);
  cube(output, input);
  return output;
}

at::Tensor custom_cube_device(const at::Tensor& input) {
  auto output = result_like(input);
  cube(MutableHostView(output).tensor(), HostView(input).tensor());
  return output;
}

at::Tensor custom_elementwise_meta(const at::Tensor& input) { return result_like(input); }

// The absolute value of a complex number is real.
at::Tensor custom_abs_meta(const at::Tensor& input) {
  return at::empty(input.sizes(), input.options().dtype(c10::toRealValueType(input.scalar_type())));
}

}  // namespace openreg::ops
