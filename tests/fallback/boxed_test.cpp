#include "fallback/boxed.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <openreg/openreg.h>

#include "support/compare.h"
#include "support/dispatcher.h"
#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

testing::AssertionResult begins_with(const std::string& text, const std::string& start) {
  if (text.compare(0, start.size(), start) == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "\"" << text << "\" does not begin with \"" << start << "\"";
}

TEST(Blocklist, TheBoxedFallbackRefusesAbs) {
  torch::jit::Stack stack{-at::ones({2}, device())};
  const auto error = error_of([&] { fallback::global_fallback(find_operator("aten::abs"), &stack); });
  EXPECT_TRUE(begins_with(error, "Operator 'aten::abs' is not implemented for device openreg."));
}

TEST(Blocklist, TheBoxedFallbackRefusesAbsOut) {
  torch::jit::Stack stack{-at::ones({2}, device()), at::empty({2}, device())};
  const auto error = error_of([&] { fallback::global_fallback(find_operator("aten::abs.out"), &stack); });
  EXPECT_TRUE(begins_with(error, "Operator 'aten::abs.out' is not implemented for device openreg."));
  EXPECT_TRUE(contains(error, "forbid list"));
}

// The native kernel is switched off, so the call falls back, which the list forbids.
TEST(Blocklist, AtAbsReachesItWhenTheNativeKernelIsOff) {
  FallbackPolicy policy;
  policy.force = {"aten::abs.out"};
  const auto x = -at::ones({2}, device());
  const LedgerScope ledger;
  {
    const FallbackPolicyScope scope(policy);
    EXPECT_TRUE(
        begins_with(error_of([&] { at::abs(x); }), "Operator 'aten::abs.out' is not implemented for device openreg."));
    EXPECT_TRUE(never_ran(ledger, "aten::abs.out"));
  }
  EXPECT_TRUE(same_bits(at::ones({2}), at::abs(x)));
  EXPECT_TRUE(ran_by(ledger, "aten::abs.out", Way::stub));
}

TEST(Boxed, RunsAnyOtherOperatorThatItIsGiven) {
  torch::jit::Stack stack{at::arange(4, at::kFloat).to(device())};
  fallback::global_fallback(find_operator("aten::neg"), &stack);
  ASSERT_EQ(stack.size(), 1u);
  EXPECT_TRUE(same_on_device(-at::arange(4, at::kFloat), stack[0].toTensor()));
}

TEST(Boxed, LeavesTheStackBelowItsArgumentsAlone) {
  torch::jit::Stack stack{c10::IValue(123), at::ones({2}, device()), at::ones({2}, device()), c10::IValue(2)};
  fallback::global_fallback(find_operator("aten::add.Tensor"), &stack);
  ASSERT_EQ(stack.size(), 2u);
  EXPECT_EQ(stack[0].toInt(), 123);
  EXPECT_TRUE(same_on_device(at::full({2}, 3.0f), stack[1].toTensor()));
}

TEST(Boxed, AnOperatorWithoutACpuKernelIsNamed) {
  const auto x = at::ones({2, 2}, device());
  const auto error = error_of([&] { at::_cudnn_init_dropout_state(0.5, true, 1, at::device(device())); });
  EXPECT_TRUE(begins_with(error, "Operator 'aten::_cudnn_init_dropout_state' is not implemented for device openreg."));
  EXPECT_TRUE(contains(error, "the CPU has none either"));
}

TEST(ResultHook, MakesAResultWrongOnPurpose) {
  const auto x = at::ones({2}, device());
  fallback::set_result_hook(
      [](at::Tensor& result) { result = at::zeros_like(result, at::device(at::kCPU)).to(result.device()); });
  const auto wrong = at::exp(x);
  fallback::set_result_hook(nullptr);
  EXPECT_TRUE(same_bits(at::zeros({2}), wrong));
  EXPECT_FALSE(same_bits(at::zeros({2}), at::exp(x)));
}

}  // namespace
}  // namespace openreg::test
