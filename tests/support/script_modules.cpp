#include "support/script_modules.h"

#include <torch/torch.h>

namespace openreg::test {

torch::jit::Module script_module() {
  torch::jit::Module inner("Inner");
  inner.register_parameter("w", at::arange(12, at::kFloat).sin().view({4, 3}), false);
  inner.register_buffer("b", at::arange(3, at::kFloat));
  inner.define(R"(
def forward(self, x):
    return torch.softmax(torch.abs(torch.relu(torch.matmul(x, self.w)) - self.b), 1)
)");
  torch::jit::Module outer("Outer");
  outer.register_module("inner", inner);
  outer.define(R"(
def forward(self, x):
    return self.inner.forward(x) * 2
)");
  outer.eval();
  // From a file, as most are: all parts of it then belong to one compilation unit, and live as long as it does.
  return from_bytes(bytes_of(outer));
}

at::Tensor script_input() { return at::arange(8, at::kFloat).cos().view({2, 4}); }

torch::jit::Module traced_module() {
  torch::jit::Module module("Traced");
  module.register_parameter("w", at::arange(4, at::kFloat), false);
  module.define(R"(
def offset(self, x):
    return torch.ones([4], dtype=None, layout=None, device=torch.device("cpu"), pin_memory=False)

def forward(self, x):
    y = x * self.w + self.offset(x)
    if bool(torch.gt(torch.sum(y), 0)):
        y = y + torch.arange(4, dtype=None, layout=None, device=torch.device("cpu"), pin_memory=False)
    return y
)");
  module.eval();
  return module;
}

std::string bytes_of(const torch::jit::Module& module) {
  std::ostringstream stream;
  module.save(stream);
  return stream.str();
}

torch::jit::Module from_bytes(const std::string& bytes, std::optional<c10::Device> device) {
  std::istringstream stream(bytes);
  return torch::jit::load(stream, device);
}

}  // namespace openreg::test
