#include <torch/script.h>
#include <torch/torch.h>

#include <iostream>
#include <sstream>

namespace {

// A network and a step of its training, in TorchScript's words and in C++'s.
torch::jit::Module make_model() {
  torch::jit::Module model("model");
  torch::manual_seed(1);
  model.register_parameter("kernel", torch::randn({4, 3, 3, 3}), false);
  model.register_parameter("weight", torch::randn({10, 4}), false);
  model.define(R"(
    def forward(self, x):
        y = torch.relu(torch.conv2d(x, self.kernel, padding=1)).mean([2, 3])
        return torch.softmax(torch.linear(y, self.weight), 1)
  )");
  return model;
}

torch::Tensor gradient(torch::Device device) {
  torch::manual_seed(2);
  torch::nn::Linear layer(8, 2);
  const auto x = torch::randn({5, 8});
  layer->to(device);
  layer->forward(x.to(device)).tanh().sum().backward();
  return layer->weight.grad().cpu();
}

void check(bool ok, const char* what) { TORCH_CHECK(ok, what, " differs from the CPU's."); }

void run_model(const std::string& name) {
  const torch::Device device(name);
  auto model = make_model();
  const auto x = torch::randn({2, 3, 16, 16});
  const auto expected = model.forward({x}).toTensor();
  std::stringstream file;
  model.save(file);
  auto there = torch::jit::load(file, device);
  const auto actual = there.forward({x.to(device)}).toTensor();
  TORCH_CHECK(actual.device().str() == name, "The result is on ", actual.device(), ".");
  check(torch::allclose(expected, actual.cpu()), "The model's result");
  check(torch::allclose(gradient(torch::kCPU), gradient(device)), "A gradient");

  // The device's name is a word of TorchScript too.
  torch::jit::Module named("named");
  named.define("def forward(self):\n    return torch.ones([3], device='" + name + "')\n");
  check(named.forward({}).toTensor().sum().item<float>() == 3, "A tensor made by a model");
  std::cout << "The model runs on " << actual.device() << " as on the CPU.\n";
}

}  // namespace

// Usage: bring_up_model DEVICE. Runs a model on the device of that name, and compares with the CPU.
int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: bring_up_model DEVICE, for instance openreg:0\n";
    return 2;
  }
  try {
    run_model(argv[1]);
    return 0;
  } catch (const c10::Error& error) {
    std::cerr << error.what_without_backtrace() << "\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
  }
  return 1;
}
