#include <gtest/gtest.h>
#include <torch/script.h>
#include <torch/torch.h>
#include <unistd.h>

#include <cstdlib>

#include "modules/script_modules.h"
#include "support/compare.h"
#include "support/samples.h"

// Files written here and read by another process: this program, started anew by the death test.
namespace openreg::test {
namespace {

torch::nn::Sequential network() {
  using namespace torch::nn;
  return Sequential(Conv2d(Conv2dOptions(1, 4, 3)), BatchNorm2d(4), ReLU(), Flatten(), Linear(64, 3));
}

at::Tensor images() { return at::arange(72, at::kFloat).sin().view({2, 1, 6, 6}); }

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

TEST_F(OtherProcess, ATrainedNetworkGivesTheSameOutputs) {
  const auto file = file_name("_network");
  if (is_first()) {
    auto trained = network();
    torch::optim::Adam optimizer(trained->parameters(), 0.01);
    trained->to(device(1));
    for (int i = 0; i < 3; ++i) {
      optimizer.zero_grad();
      trained->forward(images().to(device(1))).square().sum().backward();
      optimizer.step();
    }
    trained->eval();
    torch::save(trained, file);
    torch::save(trained->forward(images().to(device(1))).detach(), file + "_outputs");
  }
  EXPECT_EXIT(
      {
        auto read = network();
        torch::load(read, file, device(1));
        read->eval();
        at::Tensor outputs;
        torch::load(outputs, file + "_outputs");
        compare(outputs, read->forward(images().to(device(1))).detach());
      },
      testing::ExitedWithCode(0), "");
  for (const auto* suffix : {"", "_outputs"}) unlink((file + suffix).c_str());
}

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
