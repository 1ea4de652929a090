#include "ops/dropout.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/native_dropout_ops.h>
#include <ATen/ops/ones_like.h>

#include "device/generator.h"
#include "fallback/host_call.h"
#include "fallback/native_call.h"
#include "library.h"

namespace openreg::ops {

std::tuple<at::Tensor, at::Tensor> native_dropout(const at::Tensor& input, double p, std::optional<bool> train) {
  if (input.numel() == 0) {
    return {input, at::empty_like(input)};
  }
  fallback::HostCall call("aten::native_dropout", input.device());
  const auto source = call.in(input);
  const auto options = source.options().dtype(at::kBool);
  if (!train.value_or(true)) {
    return call.results(source.clone(), at::ones_like(source, options));
  }
  const double kept = 1 - p;
  auto mask = at::empty_like(source, options).bernoulli_(kept, device::host_twin({}, input.device()));
  auto output = source.mul(mask).mul_(kept == 0 ? 0 : 1 / kept);
  return call.results(std::move(output), std::move(mask));
}

namespace {

std::tuple<at::Tensor, at::Tensor> wrapper_native_dropout(const at::Tensor& input, double p,
                                                          std::optional<bool> train) {
  return fallback::counted_call<at::_ops::native_dropout, Way::native>(&native_dropout, input, p, train);
}

}  // namespace

void register_dropout() {
  library("aten", c10::DispatchKey::PrivateUse1).impl("native_dropout", wrapper_native_dropout);
}

}  // namespace openreg::ops
