#pragma once

#include <ATen/ops/ones.h>
#include <torch/csrc/autograd/generated/variable_factories.h>

#include <iostream>

// What the plainest program calls.
inline void call_factories() {
  torch::randn({3, 3});
  std::cerr << "-- at::ones\n";
  at::ones({2, 2});
}
