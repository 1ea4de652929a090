#pragma once

#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

namespace openreg::bench {

// A model with its inputs, on the CPU.
struct Model {
  std::string name;
  torch::jit::Module module;
  std::vector<c10::IValue> inputs;

  // A copy of both on a device.
  Model on(const at::Device& device) const;
  void run();
};

// Small models written here, the tests' models, and the files of the folder OPENREG_TEST_MODELS that have a method
// example() for inputs.
std::vector<Model> load_models();

void add_model_cases();

}  // namespace openreg::bench
