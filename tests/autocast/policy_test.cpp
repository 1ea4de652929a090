#include <gtest/gtest.h>
#include <torch/torch.h>

#include "autocast/calls.h"
#include "openreg/autocast.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

// Each operator of each list gives, under autocast, what it gives without when its arguments are cast by hand.
namespace openreg::test {
namespace {

at::Tensor under_autocast(at::ScalarType lower, const std::function<at::Tensor()>& call) {
  const AutocastRegion region(lower);
  return call();
}

testing::AssertionResult close_enough(const at::Tensor& a, const at::Tensor& b) { return close_to(a, b, 1e-6); }

class AutocastPolicy : public testing::TestWithParam<at::ScalarType> {
 protected:
  // Under autocast, each call gives with these inputs what it gives without when all of them have `dtype`.
  void each_runs_in(at::ScalarType dtype, const Calls& calls, const std::function<Inputs()>& inputs,
                    testing::AssertionResult (*same)(const at::Tensor&, const at::Tensor&)) {
    for (const auto& [name, call] : calls) {
      SCOPED_TRACE(name);
      auto given = inputs();
      Inputs by_hand(GetParam(), dtype);
      const auto& run = call;
      const auto result = under_autocast(GetParam(), [&] { return run(given); });
      EXPECT_EQ(result.scalar_type(), dtype);
      EXPECT_TRUE(same(run(by_hand), result));
    }
  }
};

TEST_P(AutocastPolicy, LowerPrecisionListRunsInTheRegionsDtype) {
  for (const auto& [name, call] : lower_precision_calls()) {
    SCOPED_TRACE(name);
    Inputs wide(at::kFloat, at::kFloat);
    Inputs narrow(at::kFloat, GetParam());
    const auto& run = call;
    if (name == "_scaled_dot_product_flash_attention") {  // other backends have it; the cast call finds no kernel
      EXPECT_TRUE(throws([&] { under_autocast(GetParam(), [&] { return run(wide); }); }, "is not implemented"));
      continue;
    }
    const auto expected = run(narrow);
    const auto result = under_autocast(GetParam(), [&] { return run(wide); });
    EXPECT_EQ(result.scalar_type(), GetParam());
    EXPECT_TRUE(same_bits(expected, result));
  }
}

TEST_P(AutocastPolicy, FloatListRunsInFloat) {
  each_runs_in(
      at::kFloat, float_calls(), [] { return Inputs(GetParam(), GetParam()); }, same_bits);
}

TEST_P(AutocastPolicy, FloatResultListGivesFloat) {
  each_runs_in(
      at::kFloat, float_result_calls(), [] { return Inputs(GetParam(), GetParam()); }, close_enough);
}

TEST_P(AutocastPolicy, WidestListRunsInFloatWhenOneArgumentIs) {
  const auto one_is_float = [] { return Inputs(GetParam(), GetParam()).next_in(at::kFloat); };
  each_runs_in(at::kFloat, widest_calls(), one_is_float, same_bits);
}

TEST_P(AutocastPolicy, WidestListStaysNarrowWhenAllArgumentsAre) {
  each_runs_in(
      GetParam(), widest_calls(), [] { return Inputs(GetParam(), GetParam()); }, same_bits);
}

INSTANTIATE_TEST_SUITE_P(Dtypes, AutocastPolicy, testing::Values(at::kHalf, at::kBFloat16),
                         [](const auto& tested) { return std::string(c10::toString(tested.param)); });

TEST(Autocast, BinaryCrossEntropyIsRefusedWithItsRemedy) {
  const auto p = at::rand({3}, device());
  const auto target = at::ones({3}, device());
  const AutocastRegion region;
  EXPECT_TRUE(throws([&] { at::binary_cross_entropy(p, target); }, "is unsafe to autocast"));
  EXPECT_TRUE(throws([&] { at::binary_cross_entropy(p, target); }, "binary_cross_entropy_with_logits"));
  const AutocastRegion off(std::nullopt, false);
  EXPECT_EQ(at::binary_cross_entropy(p, target).scalar_type(), at::kFloat);
}

TEST(Autocast, TheWidestOfTwoHalfTypesIsAnErrorThatNamesBoth) {
  const auto half = at::rand({3}, device()).to(at::kHalf);
  const AutocastRegion region(at::kBFloat16);
  EXPECT_TRUE(
      throws([&] { at::dot(half, half.to(at::kBFloat16)); },
             "'aten::dot' under autocast to BFloat16: its arguments must be BFloat16 or Float, but one is Half"));
}

TEST(Autocast, DoubleAndIntegersAreLeftAlone) {
  const auto x = at::rand({3, 3}, device()).to(at::kDouble);
  const auto n = at::ones({3}, device()).to(at::kLong);
  const AutocastRegion region;
  EXPECT_EQ(at::mm(x, x).scalar_type(), at::kDouble);
  EXPECT_EQ(at::exp(x).scalar_type(), at::kDouble);
  EXPECT_EQ(at::sum(n).scalar_type(), at::kLong);
  EXPECT_EQ(at::norm(x, 2).scalar_type(), at::kDouble);
}

TEST(Autocast, ADtypeThatTheCallerNamesIsKept) {
  const auto x = at::rand({3, 3}, device()).to(at::kHalf);
  const AutocastRegion region;
  EXPECT_EQ(at::sum(x, at::kHalf).scalar_type(), at::kHalf);
  EXPECT_EQ(at::softmax(x, 1, at::kDouble).scalar_type(), at::kDouble);
}

TEST(Autocast, OtherOperatorsKeepTheirDtype) {
  const auto x = at::rand({3, 3}, device());
  const AutocastRegion region;
  EXPECT_EQ((x + x).scalar_type(), at::kFloat);
  EXPECT_EQ(at::relu(x.to(at::kHalf)).scalar_type(), at::kHalf);
  EXPECT_EQ(x.clone().copy_(x.to(at::kHalf)).scalar_type(), at::kFloat);
}

TEST(Autocast, CpuTensorsAreNotCast) {
  const auto x = at::rand({3, 3});
  const AutocastRegion region;
  EXPECT_EQ(at::mm(x, x).scalar_type(), at::kFloat);
}

TEST(Autocast, AListOfTheCallersIsNotChanged) {
  const std::vector<at::Tensor> list{at::rand({2, 3}, device()), at::rand({3, 2}, device())};
  const AutocastRegion region;
  EXPECT_EQ(at::chain_matmul(list).scalar_type(), at::kHalf);
  EXPECT_EQ(list[0].scalar_type(), at::kFloat);
}

}  // namespace
}  // namespace openreg::test
