// Trains a small network, saves it, and uses it in another run of the program:
//
//   train_mlp train net.pt [--device openreg]     # prints the loss, and what the trained network says
//   train_mlp use net.pt [--device cpu]           # says the same
#include <openreg/openreg.h>
#include <torch/torch.h>

#include <cstdio>
#include <iostream>
#include <string>

namespace {

torch::nn::Sequential make_network() {
  return torch::nn::Sequential(torch::nn::Linear(2, 16), torch::nn::ReLU(), torch::nn::Linear(16, 1));
}

// Points of the unit square, and how far they lie from its middle.
torch::Tensor points() { return torch::cartesian_prod({torch::linspace(0, 1, 12), torch::linspace(0, 1, 12)}); }
torch::Tensor distances() { return (points() - 0.5).norm(2, 1, /*keepdim=*/true); }

void print_outputs(torch::nn::Sequential& network, torch::Device device) {
  const torch::NoGradGuard no_grad;
  const auto outputs = network->forward(points().slice(0, 0, 144, 36).to(device)).cpu();
  for (int i = 0; i < outputs.size(0); ++i) std::printf("output %d: %.9g\n", i, outputs[i].item<float>());
}

void train(const std::string& file, torch::Device device) {
  torch::manual_seed(1);
  auto network = make_network();
  torch::optim::Adam optimizer(network->parameters(), 0.01);  // taken before the move: the handles stay valid
  network->to(device);
  const auto inputs = points().to(device);
  const auto targets = distances().to(device);
  for (int step = 0; step <= 200; ++step) {
    optimizer.zero_grad();
    const auto loss = torch::mse_loss(network->forward(inputs), targets);
    loss.backward();
    optimizer.step();
    if (step % 50 == 0) std::printf("step %3d: loss %.9g\n", step, loss.item<float>());
  }
  torch::save(network, file);
  print_outputs(network, device);
}

void use(const std::string& file, torch::Device device) {
  auto network = make_network();
  torch::load(network, file, device);  // whatever device it was saved from
  print_outputs(network, device);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string command = count > 2 ? arguments[1] : "";
  const bool named = count == 5 && std::string(arguments[3]) == "--device";
  if ((command != "train" && command != "use") || (count != 3 && !named)) {
    std::cerr << "usage: train_mlp train|use FILE [--device cpu|openreg[:INDEX]]\n";
    return 2;
  }
  try {
    const std::string name = named ? arguments[4] : "openreg";
    const auto device = name == "cpu" ? torch::Device("cpu") : openreg::parse_device(name);
    command == "train" ? train(arguments[2], device) : use(arguments[2], device);
    return 0;
  } catch (const c10::Error& error) {
    std::cerr << "train_mlp: " << error.what_without_backtrace() << '\n';
    return 1;
  }
}
