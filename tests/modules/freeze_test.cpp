#include <gtest/gtest.h>
#include <torch/script.h>
#include <torch/torch.h>

#include "openreg/modules.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"
#include "support/script_modules.h"

namespace openreg::test {
namespace {

at::Tensor script_output() { return script_module().forward({script_input()}).toTensor(); }

testing::AssertionResult right_on_device(torch::jit::Module& module) {
  for (int i = 0; i < 2; ++i) {
    if (const auto same = same_on_device(script_output(), module.forward({script_input().to(device())}).toTensor());
        !same)
      return same;
  }
  return testing::AssertionSuccess();
}

TEST(Freeze, MoveThenFreeze) {
  auto module = script_module();
  module.to(device());
  auto frozen = torch::jit::freeze(module);
  EXPECT_EQ(frozen.parameters().size(), 0u);
  EXPECT_TRUE(right_on_device(frozen));
}

TEST(Freeze, MoveThenOptimizeForInference) {
  auto module = script_module();
  module.to(device());
  auto optimized = torch::jit::optimize_for_inference(module);
  EXPECT_TRUE(right_on_device(optimized));
}

// Its weights are constants now, which Module::to does not see.
TEST(Freeze, FrozenThenMovedSaysWhatToDo) {
  auto frozen = torch::jit::freeze(script_module());
  frozen.to(device());
  const auto error = error_of([&] { frozen.forward({script_input().to(device())}); });
  EXPECT_TRUE(contains(error, "move, then freeze"));
}

TEST(Freeze, FrozenThenRetargeted) {
  auto frozen = torch::jit::freeze(script_module());
  EXPECT_EQ(retarget(frozen, device()).tensors, 2u);
  EXPECT_TRUE(right_on_device(frozen));
}

TEST(Freeze, AFrozenFileLoadsOntoADevice) {
  auto loaded = from_bytes(bytes_of(torch::jit::freeze(script_module())), device());
  EXPECT_TRUE(right_on_device(loaded));
}

}  // namespace
}  // namespace openreg::test
