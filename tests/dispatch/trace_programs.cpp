// Small programs whose trace is compared with a committed one: `trace_programs NAME`.
#include <cstring>
#include <iostream>
#include <map>
#include <string>

#include <ATen/ops/abs.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sum.h>
#include <torch/jit.h>

#include "factories.h"

namespace {

at::Tensor leaf(at::IntArrayRef sizes, at::ScalarType type = at::kFloat) {
  return torch::ones(sizes, at::TensorOptions().dtype(type)).requires_grad_();
}

void abs_with_grad() { at::abs(leaf({2, 2})); }

void sum_and_backward() { leaf({2, 2}).sum().backward(); }

// Double, so that no machine takes a faster path of its own.
void convolution() {
  at::conv2d(leaf({1, 2, 4, 4}, at::kDouble), leaf({3, 2, 3, 3}, at::kDouble), leaf({3}, at::kDouble)).sum().backward();
}

void scripted_module() {
  const auto unit = torch::jit::compile("def forward(x):\n  return torch.relu(x) + 1\n");
  const at::Tensor input = torch::ones({2, 2});
  std::cerr << "-- run\n";
  unit->run_method("forward", input);
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> programs{{"factory", call_factories},
                                                   {"abs_with_grad", abs_with_grad},
                                                   {"sum_and_backward", sum_and_backward},
                                                   {"convolution", convolution},
                                                   {"scripted_module", scripted_module}};
  const auto program = argc == 2 ? programs.find(argv[1]) : programs.end();
  if (program == programs.end()) {
    std::cerr << "usage: trace_programs NAME\n";
    return 2;
  }
  program->second();
  return 0;
}
