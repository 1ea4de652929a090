#include <gtest/gtest.h>
#include <torch/script.h>
#include <torch/torch.h>

#include "openreg/autocast.h"
#include "support/compare.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

TEST(AutocastModels, TrainingLearnsAndKeepsFloatParameters) {
  torch::manual_seed(1);
  torch::nn::Sequential net(torch::nn::Conv2d(1, 4, 3), torch::nn::ReLU(), torch::nn::Flatten(),
                            torch::nn::LayerNorm(torch::nn::LayerNormOptions({4 * 4 * 4})), torch::nn::Linear(64, 3));
  net->to(device());
  const auto x = at::rand({8, 1, 6, 6}).to(device());
  const auto target = at::arange(8).remainder(3).to(device());
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  float first = 0;
  float last = 0;
  for (int step = 0; step < 20; ++step) {
    optimizer.zero_grad();
    at::Tensor loss;
    {
      const AutocastRegion region(at::kBFloat16);
      const auto output = net->forward(x);
      EXPECT_EQ(output.scalar_type(), at::kBFloat16);
      loss = torch::nn::functional::cross_entropy(output, target);
    }
    EXPECT_EQ(loss.scalar_type(), at::kFloat);
    loss.backward();
    optimizer.step();
    last = loss.item<float>();
    if (step == 0) first = last;
  }
  EXPECT_LT(last, first / 2);
  for (const auto& parameter : net->parameters()) {
    EXPECT_EQ(parameter.scalar_type(), at::kFloat);
    EXPECT_EQ(parameter.grad().scalar_type(), at::kFloat);
  }
}

TEST(AutocastModels, GradientsEqualThoseOfCastsByHand) {
  const auto weight = at::rand({3, 3}).to(device());
  const auto x = at::rand({2, 3}).to(device());
  auto under = weight.clone().set_requires_grad(true);
  {
    const AutocastRegion region;
    at::mm(x, under).sum().backward();
  }
  auto by_hand = weight.clone().set_requires_grad(true);
  at::mm(x.to(at::kHalf), by_hand.to(at::kHalf)).sum(at::kFloat).backward();
  EXPECT_TRUE(same_bits(by_hand.grad(), under.grad()));
}

TEST(AutocastModels, RecurrentNetworksRunInTheRegionsDtype) {
  torch::nn::LSTM lstm(4, 5);
  torch::nn::GRU gru(4, 5);
  lstm->to(device());
  gru->to(device());
  const auto x = at::rand({3, 2, 4}, device());
  const AutocastRegion region(at::kBFloat16);
  EXPECT_EQ(std::get<0>(lstm(x)).scalar_type(), at::kBFloat16);
  EXPECT_EQ(std::get<0>(gru(x)).scalar_type(), at::kBFloat16);
}

TEST(AutocastModels, ScriptModulesAreCastToo) {
  torch::jit::Module module("m");
  module.register_parameter("w", at::rand({3, 2}, device()), false);
  module.define("def forward(self, x):\n  return torch.softmax(torch.matmul(x, self.w), 1)\n");
  const auto x = at::rand({4, 3}, device());
  const auto expected =
      at::softmax(at::matmul(x.to(at::kHalf), module.attr("w").toTensor().to(at::kHalf)), 1, at::kFloat);
  for (int run = 0; run < 4; ++run) {  // the first runs profile, the later ones are optimised
    const AutocastRegion region;
    const auto result = module.forward({x}).toTensor();
    EXPECT_EQ(result.scalar_type(), at::kFloat);
    EXPECT_TRUE(same_bits(expected, result));
  }
}

}  // namespace
}  // namespace openreg::test
