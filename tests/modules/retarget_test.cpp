#include "openreg/modules.h"

#include <gtest/gtest.h>
#include <torch/script.h>
#include <torch/torch.h>

#include <array>
#include <thread>

#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"
#include "support/script_modules.h"

namespace openreg::test {
namespace {

at::Tensor traced_input() { return at::arange(4, at::kFloat); }

at::Tensor traced_output() { return traced_module().forward({traced_input()}).toTensor(); }

TEST(Retarget, RewritesTheDevicesInTheCode) {
  auto module = from_bytes(bytes_of(traced_module()), device(1));
  const auto changes = retarget(module, device(1));
  EXPECT_EQ(changes.devices, 2u);
  EXPECT_EQ(changes.tensors, 0u);
  for (int i = 0; i < 3; ++i) {
    const auto output = module.forward({traced_input().to(device(1))}).toTensor();
    EXPECT_EQ(output.device(), device(1));
    EXPECT_TRUE(same_bits(traced_output(), output));
  }
}

TEST(Retarget, AModuleThatHasRunAlready) {
  auto module = traced_module();
  for (int i = 0; i < 3; ++i) module.forward({traced_input()});
  module.to(device());
  EXPECT_EQ(retarget(module, device()).devices, 2u);
  EXPECT_TRUE(same_on_device(traced_output(), module.forward({traced_input().to(device())}).toTensor()));
}

TEST(Retarget, SharesParametersWithTheModuleItWas) {
  auto module = traced_module();
  const auto weight = module.attr("w").toTensor();
  module.to(device());
  retarget(module, device());
  EXPECT_TRUE(module.attr("w").toTensor().is_same(weight));
}

TEST(Retarget, BackAgainAndNothingToDo) {
  auto module = traced_module();
  module.to(device());
  retarget(module, device());
  EXPECT_EQ(retarget(module, device()).devices, 0u);
  module.to(at::kCPU);
  EXPECT_EQ(retarget(module, at::kCPU).devices, 2u);
  EXPECT_TRUE(same_bits(traced_output(), module.forward({traced_input()}).toTensor()));
}

// What torch.nn.TransformerEncoderLayer asks when it was scripted in Python.
TEST(Retarget, TellsCodeThatLooksForTheDeviceTypesNameTheNameItHas) {
  torch::jit::Module module("Asks");
  module.define(R"(
    def forward(self, x):
        return x.device.type in ["cpu", "privateuseone"]
  )");
  const auto x = script_input().to(device());
  EXPECT_FALSE(module.forward({x}).toBool());
  EXPECT_EQ(retarget(module, at::kCPU).names, 0u);
  EXPECT_EQ(retarget(module, device()).names, 1u);
  EXPECT_TRUE(module.forward({x}).toBool());
  EXPECT_TRUE(module.forward({script_input()}).toBool());
  EXPECT_EQ(retarget(module, device()).names, 0u);
}

TEST(Retarget, LeavesACleanModuleAlone) {
  auto module = script_module();
  const auto type = module.type();
  EXPECT_EQ(retarget(module, device()).devices, 0u);
  EXPECT_EQ(module.type(), type);
}

TEST(Retarget, GoesIntoSubmodulesAndDeviceAttributes) {
  torch::jit::Module outer("Outer");
  outer.register_module("first", traced_module());
  outer.register_attribute("where", c10::DeviceObjType::get(), c10::Device(at::kCPU));
  outer.define(R"(
def forward(self, x):
    return self.first.forward(x) + torch.ones([4], device=self.where)
)");
  const auto wanted = outer.forward({traced_input()}).toTensor();
  outer.to(device());
  EXPECT_EQ(retarget(outer, device()).devices, 3u);
  EXPECT_TRUE(same_on_device(wanted, outer.forward({traced_input().to(device())}).toTensor()));
}

// Copies of a module share its compilation unit, where each retargeted copy leaves a class of its own.
TEST(Retarget, CopiesInThreadsAtOnce) {
  const auto shared = traced_module();
  std::array<std::optional<at::Tensor>, 4> outputs;
  std::vector<std::thread> threads;
  for (auto& output : outputs) {
    threads.emplace_back([&output, &shared] {
      for (int i = 0; i < 200; ++i) {
        auto module = shared.deepcopy();
        module.to(device());
        retarget(module, device());
        output = module.forward({traced_input().to(device())}).toTensor();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& output : outputs) EXPECT_TRUE(same_on_device(traced_output(), *output));
}

TEST(Retarget, ChecksTheDevice) {
  auto module = traced_module();
  EXPECT_TRUE(throws([&] { retarget(module, device(5)); }, "openreg:5 does not exist"));
}

// Whoever meets the error learns the remedy from it.
TEST(Retarget, TheMixedDeviceErrorNamesIt) {
  auto module = traced_module();
  module.to(device());
  const auto error = error_of([&] { module.forward({traced_input().to(device())}); });
  EXPECT_TRUE(contains(error, "Expected all tensors to be on the same device"));
  EXPECT_TRUE(contains(error, "openreg::retarget(module, device)"));
  // Outside of TorchScript there is no module to retarget.
  EXPECT_FALSE(contains(error_of([] { at::ones({2}, device()).add(at::ones({2})); }), "retarget"));
}

}  // namespace
}  // namespace openreg::test
