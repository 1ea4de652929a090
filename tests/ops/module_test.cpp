#include <gtest/gtest.h>
#include <torch/torch.h>

#include "support/compare.h"
#include "support/samples.h"

// Module::to, clone and set_data ask _has_compatible_shallow_copy_type before they let a tensor change its device.
namespace openreg::test {
namespace {

TEST(Module, ToKeepsTheParametersIdentity) {
  torch::nn::Linear linear(3, 2);
  const auto x = at::randn({4, 3});
  const auto expected = linear(x);
  const auto* weight = linear->weight.unsafeGetTensorImpl();
  linear->to(device());
  EXPECT_EQ(linear->weight.unsafeGetTensorImpl(), weight);
  EXPECT_TRUE(linear->weight.device().is_privateuseone());
  EXPECT_TRUE(linear->weight.requires_grad());
  EXPECT_TRUE(same_bits(expected, linear(x.to(device()))));
  linear->to(at::kCPU);
  EXPECT_TRUE(same_bits(expected, linear(x)));
}

TEST(Module, TiedWeightsStayTied) {
  torch::nn::Linear first(3, 3);
  torch::nn::Linear second(3, 3);
  second->weight = first->weight;
  torch::nn::Sequential both(first, second);
  both->to(device(1));
  EXPECT_TRUE(first->weight.is_same(second->weight));
  EXPECT_TRUE(shares_storage(first->weight, second->weight));
  EXPECT_EQ(second->weight.device(), device(1));
}

TEST(Module, BuffersMoveToo) {
  torch::nn::BatchNorm1d norm(4);
  norm->to(device());
  for (const auto& buffer : norm->buffers()) {
    EXPECT_TRUE(buffer.device().is_privateuseone());
  }
  norm(at::randn({8, 4}, device()));
  EXPECT_EQ(norm->num_batches_tracked.item<int>(), 1);
}

TEST(Module, CloneToADeviceCopies) {
  torch::nn::Sequential net(torch::nn::Linear(3, 2), torch::nn::ReLU());
  const auto copy = net->clone(device());
  EXPECT_TRUE(net->parameters()[0].is_cpu());
  EXPECT_TRUE(same_on_device(net->parameters()[0].detach(), copy->parameters()[0].detach()));
}

TEST(Module, SetDataCrossesDevicesBothWays) {
  auto x = at::ones({2});
  x.set_data(at::full({3}, 2.0f, device()));
  EXPECT_TRUE(same_on_device(at::full({3}, 2.0f), x));
  x.set_data(at::ones({1}));
  EXPECT_TRUE(x.is_cpu());
}

TEST(Module, DtypeAndDeviceChangeAtOnce) {
  torch::nn::Linear linear(3, 2);
  const auto expected = linear->weight.detach().to(at::kHalf);
  linear->to(device(), at::kHalf);
  EXPECT_TRUE(same_on_device(expected, linear->weight.detach()));
}

}  // namespace
}  // namespace openreg::test
