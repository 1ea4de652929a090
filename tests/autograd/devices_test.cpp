#include <gtest/gtest.h>
#include <openreg/openreg.h>
#include <torch/torch.h>

#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

// Graphs that cross devices.
namespace openreg::test {
namespace {

TEST(GraphAcrossDevices, GradientsComeBackToTheirLeaves) {
  const auto x = at::arange(4, at::kFloat).requires_grad_();
  const auto y = at::ones({4}, device(1)).requires_grad_();
  const auto on_zero = x.to(device(0)) * 2;
  const auto on_one = on_zero.to(device(1)) * y;
  on_one.cpu().sum().backward();
  EXPECT_TRUE(x.grad().is_cpu());
  EXPECT_TRUE(same_bits(at::full({4}, 2.0f), x.grad()));
  EXPECT_EQ(y.grad().device(), device(1));
  EXPECT_TRUE(same_bits(at::arange(4, at::kFloat) * 2, y.grad()));
}

TEST(GraphAcrossDevices, BackwardLeavesTheCurrentDeviceAlone) {
  const c10::DeviceGuard guard(device(1));
  const auto x = at::ones({4}, device(0)).requires_grad_();
  (x * x).sum().backward();
  EXPECT_EQ(current_device(), 1);
  EXPECT_EQ(x.grad().device(), device(0));
}

TEST(GraphAcrossDevices, TwoDevicesInOneOperatorAreRefused) {
  auto x = at::ones({4}, device(0)).requires_grad_();
  EXPECT_TRUE(throws([&] { (x * at::ones({4}, device(1))).sum().backward(); },
                     "Expected all tensors to be on the same device"));
}

TEST(GraphAcrossDevices, BothDevicesInOneBackward) {
  const auto a = at::ones({100}, device(0)).requires_grad_();
  const auto b = at::ones({100}, device(1)).requires_grad_();
  for (int i = 0; i < 20; ++i) {
    const auto loss = (a * 2).sum().cpu() + (b * 3).sum().cpu();
    loss.backward();
  }
  EXPECT_TRUE(same_bits(at::full({100}, 40.0f), a.grad()));
  EXPECT_TRUE(same_bits(at::full({100}, 60.0f), b.grad()));
}

}  // namespace
}  // namespace openreg::test
