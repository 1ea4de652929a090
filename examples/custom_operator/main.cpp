// Runs each operator on the CPU and on openreg, and says which way it ran.
#include <openreg/fallback.h>
#include <torch/torch.h>

#include <functional>
#include <iostream>

#include "operators.h"

namespace {

bool all_right = true;

void compare(const char* name, const std::function<at::Tensor(const at::Tensor&)>& function, const at::Tensor& input) {
  const auto expected = function(input);
  const openreg::LedgerScope ledger;
  const auto actual = function(input.to(torch::Device("openreg")));
  const bool right = actual.device().is_privateuseone() && at::allclose(expected, actual.cpu());
  all_right = all_right && right;
  std::cout << name << (right ? ": as on the CPU" : ": DIFFERS");
  for (const auto& entry : ledger.entries()) {
    if (openreg::is_fallback(entry.way)) std::cout << ", " << entry.op << " by " << openreg::way_name(entry.way);
  }
  std::cout << "\n";
}

at::Tensor gradient(at::Tensor (*function)(const at::Tensor&), const at::Tensor& input) {
  const auto x = input.detach().requires_grad_();
  function(x).sum().backward();
  return x.grad();
}

}  // namespace

int main() {
  const auto x = torch::linspace(-2, 2, 12, torch::kDouble).view({3, 4});
  const auto floats = x.to(torch::kFloat);
  compare(
      "example::bucket", [](const at::Tensor& t) { return example::bucket(t, 0.5); }, floats);
  compare("example::swish", &example::swish, x);
  compare("example::soft_abs", &example::soft_abs, x);
  compare(
      "aten::relu", [](const at::Tensor& t) { return at::relu(t); }, floats);
  compare(
      "aten::angle", [](const at::Tensor& t) { return at::angle(t.t()); }, x);
  compare("example::ranks", &example::ranks, x);
  compare("example::reversed", &example::reversed, x);
  compare(
      "gradient of example::swish", [](const at::Tensor& t) { return gradient(&example::swish, t); }, x);
  compare(
      "gradient of example::soft_abs", [](const at::Tensor& t) { return gradient(&example::soft_abs, t); }, x);
  return all_right ? 0 : 1;
}
