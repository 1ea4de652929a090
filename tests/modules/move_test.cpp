#include <gtest/gtest.h>
#include <torch/torch.h>

#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

// nn::Module: whoever holds a parameter before the move holds the moved one after it.
namespace openreg::test {
namespace {

using torch::nn::Linear;

TEST(Move, HandlesTakenBeforeStayTheParameters) {
  Linear layer(3, 2);
  const auto weight = layer->weight;
  const auto parameters = layer->parameters();
  layer->to(device());
  EXPECT_TRUE(parameters[0].is_same(layer->weight));
  EXPECT_EQ(weight.device(), device());
  layer(at::ones({1, 3}, device())).sum().backward();
  EXPECT_EQ(weight.grad().device(), device());
}

// libtorch's own rule, on every device: Module::to leaves gradients where they are.
TEST(Move, GradientsStayBehindUntilTheyAreReset) {
  Linear layer(3, 2);
  layer(at::ones({1, 3})).sum().backward();
  const auto gradient = layer->weight.grad().clone();
  layer->to(device(1));
  EXPECT_TRUE(layer->weight.grad().is_cpu());
  layer->zero_grad();
  layer(at::ones({1, 3}, device(1))).sum().backward();
  EXPECT_EQ(layer->weight.grad().device(), device(1));
  EXPECT_TRUE(same_bits(gradient, layer->weight.grad()));
}

TEST(Move, TiedWeightsLearnAsOne) {
  Linear first(3, 3);
  Linear second(3, 3);
  second->weight = first->weight;
  torch::nn::Sequential both(first, second);
  torch::optim::SGD optimizer(both->parameters(), 0.1);
  both->to(device());
  ASSERT_TRUE(first->weight.is_same(second->weight));
  both->forward(at::ones({1, 3}, device())).sum().backward();
  optimizer.step();
  EXPECT_TRUE(same_bits(first->weight.detach(), second->weight.detach()));
}

TEST(Move, BetweenDevicesAndBack) {
  Linear layer(3, 2);
  const auto before = layer->weight.detach().clone();
  for (const auto& where : {device(0), device(1), c10::Device(at::kCPU), device(0)}) {
    layer->to(where);
    EXPECT_EQ(layer->weight.device(), where);
    EXPECT_TRUE(same_bits(before, layer->weight.detach()));
  }
}

TEST(Move, CloneSharesNothing) {
  torch::nn::Sequential network(Linear(3, 3), torch::nn::BatchNorm1d(3));
  const auto copy = std::dynamic_pointer_cast<torch::nn::SequentialImpl>(network->clone(device(1)));
  {
    const torch::NoGradGuard guard;
    for (auto& parameter : copy->parameters()) parameter.zero_();
  }
  EXPECT_GT(network->parameters()[0].abs().sum().item<float>(), 0);
  EXPECT_TRUE(network->parameters()[0].is_cpu());
  EXPECT_EQ(copy->buffers()[0].device(), device(1));
  const auto back = copy->clone(c10::Device(at::kCPU));
  EXPECT_TRUE(back->parameters()[0].is_cpu());
}

TEST(Move, SetDataChangesDtypeDeviceAndShape) {
  auto x = at::ones({2}).requires_grad_();
  x.set_data(at::full({3, 3}, 2.0f, device()));
  EXPECT_TRUE(x.requires_grad());
  (x * x).sum().backward();
  EXPECT_TRUE(same_on_device(at::full({3, 3}, 4.0f), x.grad()));
}

TEST(Move, SetDataKeepsViewsOfTheOldData) {
  auto x = at::ones({4}, device());
  const auto view = x.narrow(0, 0, 2);
  x.set_data(at::zeros({4}));
  EXPECT_TRUE(same_on_device(at::ones({2}), view));
}

TEST(Move, MetaTensorsHaveNoData) {
  Linear layer(3, 2);
  EXPECT_TRUE(throws([&] { layer->to(at::kMeta); }, "incompatible tensor type"));
  EXPECT_TRUE(throws([] { at::ones({2}, at::kMeta).to(device()); }, "meta"));
}

// The optimizer's own state must follow the parameters: it is made at the first step.
TEST(Move, OptimizersMadeBeforeTheMove) {
  Linear layer(3, 2);
  torch::optim::Adam optimizer(layer->parameters(), 0.1);
  layer->to(device());
  for (int i = 0; i < 2; ++i) {
    optimizer.zero_grad();
    layer(at::ones({1, 3}, device())).sum().backward();
    optimizer.step();
  }
  for (const auto& [key, state] : optimizer.state()) {
    const auto& adam = static_cast<const torch::optim::AdamParamState&>(*state);
    EXPECT_EQ(adam.exp_avg().device(), device());
  }
}

}  // namespace
}  // namespace openreg::test
