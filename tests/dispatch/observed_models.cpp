// Runs a model forward and backward and lists its calls, one a line: thread, operator, key set. Linked twice: with the
// trace, which lists its own `[call]` and `[callBoxed]` events, and without, where a RecordFunction observer is all
// there is.
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <ATen/ops/ones.h>
#include <ATen/ops/sum.h>
#include <torch/csrc/autograd/generated/variable_factories.h>
#include <torch/jit.h>

#include "observed_calls.h"

namespace {

const std::map<std::string, const char*>& models() {
  static const std::map<std::string, const char*> sources{{"mlp", R"(
def forward(x, w, b):
  return torch.tanh(torch.addmm(b, torch.relu(torch.addmm(b, x, w)), w)).sum()
)"},
                                                          {"convolution", R"(
def forward(x, w, b):
  y = torch.conv2d(x.double().reshape(1, 1, 8, 8), w.double().reshape(4, 1, 4, 4))
  return torch.max_pool2d(torch.relu(y), [2, 2]).mean()
)"},
                                                          {"recurrent", R"(
def forward(x, w, b):
  h = torch.zeros_like(b)
  for i in range(8):
    h = torch.sigmoid(torch.mv(w, x[i]) + h * b)
  return h.norm()
)"},
                                                          {"attention", R"(
def forward(x, w, b):
  q = torch.matmul(x, w).unsqueeze(0)
  k = torch.matmul(x, w.t()).unsqueeze(0)
  p = torch.softmax(torch.bmm(q, k.transpose(1, 2)) / 2.0, -1)
  return torch.layer_norm(torch.bmm(p, q).squeeze(0), [8], b, b).pow(2).sum()
)"},
                                                          {"indexing", R"(
def forward(x, w, b):
  i = torch.argsort(b.detach())
  parts = torch.split(torch.cat([x[i], w.index_select(0, i)], 0), 4)
  return torch.stack([p.exp().mean() for p in parts]).prod()
)"},
                                                          {"in_place", R"(
def forward(x, w, b):
  y = x.clone()
  y.mul_(w).add_(b)
  y[0].fill_(1.0)
  return torch.where(y > 0.5, y, torch.zeros_like(y)).cumsum(0).sum()
)"}};
  return sources;
}

void run(const char* source) {
  const auto unit = torch::jit::compile(source);
  const auto ramp = [](at::IntArrayRef sizes, double step) {
    return torch::ones(sizes).cumsum(0).mul(step).requires_grad_();
  };
  const at::Tensor x = ramp({8, 8}, 0.1);
  const at::Tensor w = ramp({8, 8}, 0.05);
  const at::Tensor b = ramp({8}, 0.2);
  for (const std::string& text : observed_calls([&] { unit->run_method("forward", x, w, b).toTensor().backward(); })) {
    std::cout << text << "\n";
  }
}

}  // namespace

std::string call_line(std::uint64_t thread, const std::string& op, c10::DispatchKeySet keys) {
  static std::mutex mutex;
  static std::map<std::uint64_t, std::size_t> numbers;
  const std::lock_guard lock(mutex);
  const std::size_t number = numbers.emplace(thread, numbers.size()).first->second;
  return std::to_string(number) + " " + op + " " + c10::toString(keys);
}

int main(int argc, char** argv) {
  const auto model = argc == 2 ? models().find(argv[1]) : models().end();
  if (model == models().end()) {
    for (const auto& [name, source] : models()) {
      std::cout << name << "\n";
    }
    return 2;
  }
  run(model->second);
  return 0;
}
