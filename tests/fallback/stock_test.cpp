#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <torch/torch.h>

#include "support/compare.h"
#include "support/ledger.h"
#include "support/samples.h"
#include "support/silence.h"

// Stock mode calls at::native::cpu_fallback and nothing else: it copies, so a view is not a view.
namespace openreg::test {
namespace {

FallbackPolicy stock() {
  FallbackPolicy policy;
  policy.mode = FallbackMode::stock;
  return policy;
}

TEST(Stock, ComputesAndCopies) {
  const auto x = at::arange(8, at::kFloat).to(device());
  const LedgerScope ledger;
  const FallbackPolicyScope scope(stock());
  EXPECT_TRUE(same_on_device(at::arange(8, at::kFloat) * 2, x + x));
  EXPECT_TRUE(ran_by(ledger, "aten::add.Tensor", Way::explicit_fallback));
  EXPECT_GE(ledger.calls("aten::_copy_from"), 2u);
}

TEST(Stock, BreaksTheViewThatOursKeeps) {
  const Silence silence;  // stock warns of each view
  const auto x = at::ones({8}, device());
  {
    const FallbackPolicyScope scope(stock());
    x.unfold(0, 2, 2).fill_(7);
  }
  EXPECT_TRUE(same_bits(at::ones({8}), x));
  x.unfold(0, 2, 2).fill_(7);
  EXPECT_TRUE(same_bits(at::full({8}, 7.0f), x));
}

TEST(Stock, TakesRecurrentLayersApart) {
  torch::nn::LSTM lstm(torch::nn::LSTMOptions(4, 6).num_layers(2));
  const auto input = at::randn({3, 2, 4});
  const c10::InferenceMode guard;
  const auto expected = std::get<0>(lstm->forward(input));
  lstm->to(device());
  const LedgerScope ledger;
  const FallbackPolicyScope scope(stock());
  EXPECT_TRUE(close_to(expected, std::get<0>(lstm->forward(input.to(device()))), 1e-5));
  EXPECT_EQ(ledger.calls("aten::lstm.input"), 0u);
  EXPECT_EQ(ledger.calls("aten::_thnn_fused_lstm_cell"), 6u);
}

TEST(Stock, OursCopiesNothing) {
  const auto x = at::ones({8}, device());
  const LedgerScope ledger;
  x + x;
  EXPECT_EQ(ledger.calls("aten::_copy_from"), 0u);
}

}  // namespace
}  // namespace openreg::test
