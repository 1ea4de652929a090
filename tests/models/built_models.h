#pragma once

#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

namespace openreg::test {

// A TorchScript module on the CPU with inputs for it.
struct Model {
  torch::jit::Module module{"Built"};
  std::vector<c10::IValue> inputs;

  void weight(const char* name, c10::IntArrayRef shape);
  void buffer(const char* name, const at::Tensor& value);
};

// The models that are built here, "Lstm" and others, with the same numbers each time.
Model built_model(const std::string& name);
std::vector<std::string> built_model_names();

// A model's input with every tensor in it on `where`.
c10::IValue moved(const c10::IValue& value, c10::Device where);

}  // namespace openreg::test
