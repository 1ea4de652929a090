#include <gtest/gtest.h>
#include <torch/csrc/jit/frontend/tracer.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/script.h>
#include <torch/torch.h>

#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"
#include "support/script_modules.h"

namespace openreg::test {
namespace {

// Three times: the profiling executor compiles the second and third run anew.
testing::AssertionResult runs_on_device(torch::jit::Module& module, int index = 0) {
  const auto expected = script_module().forward({script_input()}).toTensor();
  for (int i = 0; i < 3; ++i) {
    const auto actual = module.forward({script_input().to(device(index))}).toTensor();
    if (actual.device() != device(index)) return testing::AssertionFailure() << "on " << actual.device();
    if (const auto same = same_bits(expected, actual); !same) return same;
  }
  return testing::AssertionSuccess();
}

TEST(ScriptModule, ToMovesParametersAndBuffers) {
  auto module = script_module();
  module.to(device(1));
  for (const auto& parameter : module.parameters()) EXPECT_EQ(parameter.device(), device(1));
  for (const auto& buffer : module.buffers()) EXPECT_EQ(buffer.device(), device(1));
  EXPECT_TRUE(runs_on_device(module, 1));
  module.to(at::kCPU);
  EXPECT_TRUE(
      same_bits(script_module().forward({script_input()}).toTensor(), module.forward({script_input()}).toTensor()));
}

TEST(ScriptModule, LoadsOntoADevice) {
  auto module = from_bytes(bytes_of(script_module()), device(1));
  EXPECT_TRUE(runs_on_device(module, 1));
}

TEST(ScriptModule, LoadsThenMoves) {
  auto module = from_bytes(bytes_of(script_module()));
  module.to(torch::Device("openreg"));
  EXPECT_TRUE(runs_on_device(module));
}

TEST(ScriptModule, MovesAfterItHasRun) {
  auto module = script_module();
  for (int i = 0; i < 3; ++i) module.forward({script_input()});
  module.to(device());
  EXPECT_TRUE(runs_on_device(module));
}

TEST(ScriptModule, DeepcopyAndCloneStayOnTheDevice) {
  auto module = script_module();
  module.to(device());
  auto copy = module.deepcopy();
  auto clone = module.clone();
  EXPECT_TRUE(runs_on_device(copy));
  EXPECT_TRUE(runs_on_device(clone));
  EXPECT_FALSE(shares_storage(module.attr("inner").toModule().attr("w").toTensor(),
                              copy.attr("inner").toModule().attr("w").toTensor()));
}

// Both must be named: which device the input is on, and which the parameters.
TEST(ScriptModule, AnInputOnTheWrongDeviceIsRefused) {
  auto module = script_module();
  module.to(device());
  const auto error = error_of([&] { module.forward({script_input()}); });
  EXPECT_TRUE(contains(error, "Expected all tensors to be on the same device"));
  EXPECT_TRUE(contains(error, "openreg:0"));
  EXPECT_TRUE(contains(error, "cpu"));
}

TEST(ScriptModule, TracedOnTheDevice) {
  auto module = script_module();
  module.to(device());
  auto [state, outputs] = torch::jit::tracer::trace(
      {script_input().to(device())}, [&](torch::jit::Stack stack) { return torch::jit::Stack{module.forward(stack)}; },
      [](const at::Tensor&) { return "x"; });
  torch::jit::GraphExecutor executor(state->graph, "traced");
  torch::jit::Stack stack{script_input().to(device())};
  executor.run(stack);
  EXPECT_TRUE(same_on_device(script_module().forward({script_input()}).toTensor(), stack[0].toTensor()));
}

TEST(ScriptModule, LearnsOnTheDevice) {
  auto module = script_module();
  module.to(device());
  auto weight = module.attr("inner").toModule().attr("w").toTensor();
  weight.set_requires_grad(true);
  for (int i = 0; i < 3; ++i) {
    weight.mutable_grad() = at::Tensor();
    module.forward({script_input().to(device())}).toTensor().select(1, 0).sum().backward();
  }
  auto reference = script_module();
  auto expected = reference.attr("inner").toModule().attr("w").toTensor();
  expected.set_requires_grad(true);
  reference.forward({script_input()}).toTensor().select(1, 0).sum().backward();
  EXPECT_TRUE(close_to(expected.grad(), weight.grad(), 1e-6));
}

}  // namespace
}  // namespace openreg::test
