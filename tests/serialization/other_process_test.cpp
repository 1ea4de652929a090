#include <gtest/gtest.h>
#include <torch/script.h>
#include <torch/torch.h>
#include <unistd.h>

#include <cstdlib>

#include "support/compare.h"
#include "support/samples.h"
#include "support/script_modules.h"

// Files written here and read by another process: this program, started anew by the death test.
namespace openreg::test {
namespace {

torch::nn::Sequential convolutions() {
  using namespace torch::nn;
  return Sequential(Conv2d(Conv2dOptions(1, 4, 3)), BatchNorm2d(4), ReLU(), Flatten(), Linear(64, 3));
}

torch::nn::Sequential layers() {
  using namespace torch::nn;
  return Sequential(Flatten(), Linear(36, 16), ReLU(), Linear(16, 3));
}

at::Tensor images() { return at::arange(72, at::kFloat).sin().view({2, 1, 6, 6}); }

using Optimizer = std::unique_ptr<torch::optim::Optimizer> (*)(std::vector<at::Tensor>);
Optimizer const kSgd = [](std::vector<at::Tensor> parameters) -> std::unique_ptr<torch::optim::Optimizer> {
  return std::make_unique<torch::optim::SGD>(parameters, 0.05);
};
Optimizer const kAdam = [](std::vector<at::Tensor> parameters) -> std::unique_ptr<torch::optim::Optimizer> {
  return std::make_unique<torch::optim::Adam>(parameters, 0.01);
};

// Trained for 50 steps on a device or the CPU; its loss falls by half.
torch::nn::Sequential trained(torch::nn::Sequential (*make)(), Optimizer make_optimizer, c10::Device where) {
  torch::manual_seed(4);
  auto network = make();
  const auto optimizer = make_optimizer(network->parameters());
  network->to(where);
  const auto wanted = at::arange(6, at::kFloat).cos().view({2, 3}).to(where);
  std::vector<float> losses;
  for (int i = 0; i < 50; ++i) {
    optimizer->zero_grad();
    const auto loss = torch::mse_loss(network->forward(images().to(where)), wanted);
    loss.backward();
    optimizer->step();
    losses.push_back(loss.item<float>());
  }
  EXPECT_LE(losses.back(), losses.front() / 2);
  network->eval();
  return network;
}

// The name reaches the other process by its environment.
std::string file_name(const char* suffix) {
  setenv("OPENREG_TEST_FILE", (testing::TempDir() + "openreg_" + std::to_string(getpid())).c_str(), /*overwrite=*/0);
  return std::string(std::getenv("OPENREG_TEST_FILE")) + suffix;
}

[[noreturn]] void compare(const at::Tensor& expected, const at::Tensor& actual) {
  const auto same = same_on_device(expected.cpu(), actual);
  if (!same) std::cerr << same.message() << '\n';
  std::_Exit(same ? 0 : 1);
}

class OtherProcess : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  static bool is_first() { return !testing::internal::InDeathTestChild(); }
};

struct Training {
  const char* name;
  torch::nn::Sequential (*make)();
  Optimizer optimizer;
};

class TrainedNetwork : public OtherProcess, public testing::WithParamInterface<Training> {};

TEST_P(TrainedNetwork, GivesTheSameOutputs) {
  const auto file = file_name("_network");
  if (is_first()) {
    at::set_num_threads(1);  // so that sums are added in one order
    auto network = trained(GetParam().make, GetParam().optimizer, device(1));
    const auto outputs = network->forward(images().to(device(1))).detach();
    auto on_cpu = trained(GetParam().make, GetParam().optimizer, at::kCPU);
    EXPECT_TRUE(same_bits(on_cpu->forward(images()).detach(), outputs));
    torch::save(network, file);
    torch::save(outputs, file + "_outputs");
  }
  EXPECT_EXIT(
      {
        at::set_num_threads(1);
        auto read = GetParam().make();
        torch::load(read, file, device(1));
        read->eval();
        at::Tensor outputs;
        torch::load(outputs, file + "_outputs");
        compare(outputs, read->forward(images().to(device(1))).detach());
      },
      testing::ExitedWithCode(0), "");
  for (const auto* suffix : {"", "_outputs"}) unlink((file + suffix).c_str());
}

INSTANTIATE_TEST_SUITE_P(All, TrainedNetwork,
                         testing::Values(Training{"LayersSgd", &layers, kSgd}, Training{"LayersAdam", &layers, kAdam},
                                         Training{"ConvolutionsSgd", &convolutions, kSgd},
                                         Training{"ConvolutionsAdam", &convolutions, kAdam}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_F(OtherProcess, AScriptModuleGivesTheSameOutputs) {
  const auto file = file_name("_script");
  const auto input = at::arange(8, at::kFloat).cos().view({2, 4});
  if (is_first()) {
    auto module = script_module();
    module.to(device(1));
    module.save(file);
  }
  EXPECT_EXIT(
      {
        auto read = torch::jit::load(file);
        compare(script_module().forward({input}).toTensor(), read.forward({input.to(device(1))}).toTensor());
      },
      testing::ExitedWithCode(0), "");
  unlink(file.c_str());
}

}  // namespace
}  // namespace openreg::test
