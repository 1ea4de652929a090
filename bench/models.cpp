#include "models.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <torch/csrc/jit/passes/tensorexpr_fuser.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cases.h"
#include "inputs.h"
#include "models/built_models.h"
#include "openreg/modules.h"

namespace openreg::bench {
namespace {

Model small(const char* name, const std::vector<std::pair<const char*, std::vector<std::int64_t>>>& weights,
            const char* code, const std::vector<at::Tensor>& inputs) {
  torch::jit::Module module(name);
  for (const auto& [weight, sizes] : weights) {
    module.register_parameter(weight, at::randn(sizes) / 4, false);
  }
  module.define(code);
  module.eval();
  return {name, std::move(module), {inputs.begin(), inputs.end()}};
}

std::vector<Model> small_models() {
  std::vector<Model> models;
  models.push_back(small("mlp", {{"w1", {32, 16}}, {"b1", {32}}, {"w2", {8, 32}}}, R"(
    def forward(self, x):
        return torch.softmax(torch.linear(torch.relu(torch.linear(x, self.w1, self.b1)), self.w2), -1)
  )",
                         {at::randn({4, 16})}));
  models.push_back(small("cnn", {{"w1", {8, 3, 3, 3}}, {"w2", {10, 128}}}, R"(
    def forward(self, x):
        y = torch.max_pool2d(torch.relu(torch.conv2d(x, self.w1, None, [2, 2], [1, 1])), [2, 2])
        return torch.linear(torch.flatten(y, 1), self.w2)
  )",
                         {at::randn({2, 3, 16, 16})}));
  models.push_back(small("attention", {{"q", {16, 16}}, {"k", {16, 16}}, {"v", {16, 16}}, {"g", {16}}}, R"(
    def forward(self, x):
        q, k, v = torch.linear(x, self.q), torch.linear(x, self.k), torch.linear(x, self.v)
        p = torch.softmax(torch.matmul(q, k.transpose(-2, -1)) / 4.0, -1)
        return torch.layer_norm(x + torch.matmul(p, v), [16], self.g, self.g)
  )",
                         {at::randn({2, 12, 16})}));
  models.push_back(small("loop", {{"w", {16, 16}}}, R"(
    def forward(self, x):
        h = torch.zeros_like(x)
        for i in range(20):
            h = torch.tanh(torch.linear(h, self.w) + x)
        return h
  )",
                         {at::randn({1, 16})}));
  return models;
}

void add_tests_models(std::vector<Model>& models) {
  for (const auto& name : test::built_model_names()) {
    auto built = test::built_model(name);
    built.module.eval();
    models.push_back({name, std::move(built.module), std::move(built.inputs)});
  }
}

void add_files(std::vector<Model>& models) {
  const char* folder = std::getenv("OPENREG_TEST_MODELS");
  if (folder == nullptr || *folder == '\0') {
    return;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".pt" || entry.path().extension() == ".jit") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    auto module = torch::jit::load(file.string());
    module.eval();
    if (const auto example = module.find_method("example")) {
      const auto inputs = (*example)({}).toTensorVector();
      models.push_back({file.stem().string(), module, {inputs.begin(), inputs.end()}});
    }
  }
}

}  // namespace

Model Model::on(const at::Device& device) const {
  Model copy{name, module.deepcopy(), {}};
  copy.module.to(device);
  retarget(copy.module, device);
  for (const auto& input : inputs) copy.inputs.push_back(test::moved(input, device));
  return copy;
}

void Model::run() { module.forward(inputs); }

std::vector<Model> load_models() {
  auto models = small_models();
  add_tests_models(models);
  add_files(models);
  return models;
}

void add_model_cases() {
  // TorchScript fuses operators for the CPU, and for no device of a program's own: what is compared is the operators.
  torch::jit::setTensorExprFuserEnabled(false);
  for (const auto& model : load_models()) {
    cases().push_back({model.name,
                       [model](bool on_device) {
                         const auto here = std::make_shared<Model>(model.on(device_of(on_device)));
                         return [here] { here->run(); };
                       },
                       "Models"});
  }
}

}  // namespace openreg::bench
