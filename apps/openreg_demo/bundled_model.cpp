#include "bundled_model.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/randn.h>
#include <torch/csrc/jit/api/module.h>

#include <sstream>

namespace openreg::demo {
namespace {

constexpr const char* kSource = R"(
def forward(self, x):
    hidden = torch.abs(torch.linear(x, self.weight1, self.bias1))
    hidden = torch.relu(torch.linear(hidden, self.weight2, self.bias2))
    return torch.log_softmax(torch.linear(hidden, self.weight3, self.bias3), 1)

def example(self):
    return [torch.linspace(-1., 1., 8 * 16).reshape([8, 16])]
)";

}  // namespace

std::string bundled_model() {
  constexpr std::int64_t kWidths[] = {16, 64, 32, 10};
  // A generator of its own, so that making the model draws nothing from the program's.
  const auto generator = at::detail::createCPUGenerator(2024);
  torch::jit::Module module("BundledMlp");
  for (int layer = 1; layer <= 3; ++layer) {
    const auto inputs = kWidths[layer - 1];
    const auto outputs = kWidths[layer];
    const auto number = std::to_string(layer);
    module.register_parameter("weight" + number, at::randn({outputs, inputs}, generator, at::kFloat).div_(4), false);
    module.register_parameter("bias" + number, at::randn({outputs}, generator, at::kFloat).div_(4), false);
  }
  module.define(kSource);
  std::ostringstream bytes;
  module.save(bytes);
  return bytes.str();
}

}  // namespace openreg::demo
