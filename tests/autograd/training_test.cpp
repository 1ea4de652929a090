#include <gtest/gtest.h>
#include <torch/torch.h>

#include "autograd/gradients.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

// 50 steps on the device are those of the CPU, to the last bit, on one thread.
namespace openreg::test {
namespace {

torch::nn::Sequential mlp() {
  return torch::nn::Sequential(torch::nn::Linear(6, 16), torch::nn::ReLU(), torch::nn::Linear(16, 3));
}

torch::nn::Sequential cnn() {
  using namespace torch::nn;
  return Sequential(Conv2d(Conv2dOptions(1, 4, 3).padding(1)), BatchNorm2d(4), ReLU(), MaxPool2d(2),
                    Conv2d(Conv2dOptions(4, 8, 3)), ReLU(), Flatten(), Linear(8 * 2 * 2, 3));
}

struct Task {
  const char* name;
  torch::nn::Sequential (*make)();
  std::vector<std::int64_t> shape;
};

struct Run {
  std::vector<float> losses;
  std::vector<at::Tensor> state;  // parameters and buffers at the end
  at::Tensor outputs;
};

using MakeOptimizer = std::function<std::unique_ptr<torch::optim::Optimizer>(std::vector<at::Tensor>)>;

Run train(const Task& task, const MakeOptimizer& make_optimizer, c10::Device where, bool optimizer_first = false) {
  torch::manual_seed(5);
  auto network = task.make();
  const auto inputs = at::randn(task.shape).to(where);
  const auto labels = at::arange(task.shape[0], at::kLong).remainder(3).to(where);
  auto optimizer = optimizer_first ? make_optimizer(network->parameters()) : nullptr;
  network->to(where);
  if (!optimizer_first) optimizer = make_optimizer(network->parameters());
  Run run;
  for (int step = 0; step < 50; ++step) {
    optimizer->zero_grad();
    const auto loss = torch::nn::functional::cross_entropy(network->forward(inputs), labels);
    loss.backward();
    optimizer->step();
    run.losses.push_back(loss.item<float>());
  }
  run.state = network->parameters();
  for (const auto& buffer : network->buffers()) run.state.push_back(buffer);
  network->eval();
  const torch::NoGradGuard no_grad;
  run.outputs = network->forward(inputs);
  return run;
}

void expect_same_training(const MakeOptimizer& make_optimizer, bool optimizer_first = false) {
  for (const auto& task : {Task{"mlp", &mlp, {24, 6}}, Task{"cnn", &cnn, {12, 1, 8, 8}}}) {
    SCOPED_TRACE(task.name);
    const auto expected = train(task, make_optimizer, at::kCPU);
    const auto actual = train(task, make_optimizer, device(1), optimizer_first);
    EXPECT_LE(actual.losses.back(), actual.losses.front() / 2);
    EXPECT_EQ(expected.losses, actual.losses);
    for (std::size_t i = 0; i < expected.state.size(); ++i) {
      EXPECT_TRUE(same_on_device(expected.state[i].detach(), actual.state[i].detach())) << "parameter " << i;
    }
    EXPECT_TRUE(same_bits(expected.outputs, actual.outputs));
  }
}

TEST(Training, Sgd) {
  expect_same_training([](auto parameters) {
    return std::make_unique<torch::optim::SGD>(parameters, torch::optim::SGDOptions(0.1).momentum(0.9));
  });
}

TEST(Training, Adam) {
  expect_same_training([](auto parameters) { return std::make_unique<torch::optim::Adam>(parameters, 0.01); });
}

TEST(Training, TheOptimizersHandlesSurviveTheMove) {
  expect_same_training([](auto parameters) { return std::make_unique<torch::optim::AdamW>(parameters, 0.01); }, true);
}

TEST(Training, OtherOptimizers) {
  expect_same_training([](auto parameters) { return std::make_unique<torch::optim::RMSprop>(parameters, 0.005); });
  expect_same_training([](auto parameters) { return std::make_unique<torch::optim::Adagrad>(parameters, 0.05); });
}

TEST(Training, GradientsAreClipped) {
  auto network = mlp();
  network->to(device());
  network->forward(at::ones({2, 6}, device()) * 100).square().sum().backward();
  const auto before = torch::nn::utils::clip_grad_norm_(network->parameters(), 1.0);
  EXPECT_GT(before, 1.0);
  double sum = 0;
  for (const auto& parameter : network->parameters()) sum += parameter.grad().square().sum().item<double>();
  EXPECT_NEAR(std::sqrt(sum), 1.0, 1e-4);
}

}  // namespace
}  // namespace openreg::test
