#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <openreg/fallback.h>

#include <thread>

#include "support/compare.h"
#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

FallbackPolicy with_mode(FallbackMode mode) {
  FallbackPolicy policy;
  policy.mode = mode;
  return policy;
}

at::Tensor one() {
  static const auto tensor = at::ones({2}, device());
  return tensor;
}

class Policy : public testing::Test {
 protected:
  Policy() { one(); }  // made before a policy forbids to fill it
};

TEST_F(Policy, AtFirstEverythingButAbsMayFallBack) {
  const auto policy = fallback_policy();
  EXPECT_EQ(policy.mode, FallbackMode::global);
  EXPECT_EQ(policy.forbid, (std::vector<std::string>{"aten::abs", "aten::abs.out"}));
  EXPECT_TRUE(policy.allow.empty());
  EXPECT_TRUE(policy.force.empty());
}

TEST_F(Policy, OffLeavesWhatIsRegisteredOneByOne) {
  const auto x = one();
  const LedgerScope ledger;
  const FallbackPolicyScope scope(with_mode(FallbackMode::off));
  EXPECT_TRUE(same_on_device(at::zeros({2}), x.sub(x)));
  EXPECT_TRUE(ran_by(ledger, "aten::sub.Tensor", Way::explicit_fallback));
  const auto error = error_of([&] { x.add(x); });
  EXPECT_EQ(error.find("Operator 'aten::add.Tensor' is not implemented for device openreg."), 0u) << error;
  EXPECT_TRUE(contains(error, "OPENREG_FALLBACK=global"));
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  auto out = x;
  const auto near = error_of([&] { at::acos_out(out, x); });
  EXPECT_TRUE(contains(near, "Operator 'aten::acos.out' is not implemented for device openreg."));
  EXPECT_TRUE(contains(near, "Nearest with a kernel: 'aten::abs.out'"));
  EXPECT_TRUE(throws([&] { at::relu(x); }, "Operator 'aten::relu' is not implemented for device openreg."));
  EXPECT_TRUE(same_bits(at::ones({2}), at::abs(x)));  // a kernel of our own needs no fallback
  EXPECT_TRUE(same_bits(at::ones({2}), x.clone()));
}

TEST_F(Policy, SelectiveRunsWhatIsOnTheAllowList) {
  auto policy = with_mode(FallbackMode::selective);
  policy.allow = {"aten::add.Tensor", "aten::mul"};
  const auto x = one();
  const FallbackPolicyScope scope(policy);
  EXPECT_TRUE(same_on_device(at::full({2}, 2.0f), x.add(x)));
  EXPECT_TRUE(same_on_device(at::ones({2}), x.mul(x)));  // all overloads
  EXPECT_TRUE(same_on_device(at::zeros({2}), x.sub(x)));
  const auto error = error_of([&] { x.div(x); });
  EXPECT_EQ(error.find("Operator 'aten::div.Tensor' is not implemented for device openreg."), 0u) << error;
  EXPECT_TRUE(contains(error, "OPENREG_FALLBACK_ALLOW"));
  EXPECT_FALSE(error_of([&] { x.clone().add_(x); }).empty());  // another overload's kernel
}

TEST_F(Policy, ForbiddenOperatorsWithACompositeRunTheirComposite) {
  FallbackPolicy policy;
  policy.forbid = {"aten::native_layer_norm"};
  const auto x = at::randn({3, 4});
  const auto dx = x.to(device());
  const LedgerScope ledger;
  const FallbackPolicyScope scope(policy);
  EXPECT_TRUE(close_to(at::layer_norm(x, {4}), at::layer_norm(dx, {4}), 1e-5));
  EXPECT_TRUE(never_ran(ledger, "aten::native_layer_norm"));
}

TEST_F(Policy, ForbidBeatsAllow) {
  auto policy = with_mode(FallbackMode::selective);
  policy.allow = {"aten::relu"};
  policy.forbid = {"aten::relu"};
  const FallbackPolicyScope scope(policy);
  EXPECT_TRUE(throws([] { at::relu(one()); }, "forbid list"));
}

TEST_F(Policy, ForceSendsANativeOperatorToTheCpuKernel) {
  FallbackPolicy policy;
  policy.forbid = {};
  policy.force = {"aten::abs.out"};
  const auto x = -one();
  const LedgerScope ledger;
  const FallbackPolicyScope scope(policy);
  EXPECT_TRUE(same_on_device(at::ones({2}), at::abs(x)));
  EXPECT_EQ(ledger.calls("aten::abs.out", Way::stub), 0u);
  EXPECT_EQ(ledger.calls("aten::abs.out", Way::global_fallback), 1u);
}

TEST_F(Policy, UnknownNamesAreRefusedWithNearOnesAndChangeNothing) {
  FallbackPolicy policy;
  policy.mode = FallbackMode::off;
  policy.forbid = {"aten::ad.Tensor"};
  EXPECT_TRUE(throws([&] { set_fallback_policy(policy); }, "forbid list names 'aten::ad.Tensor'"));
  EXPECT_TRUE(throws([&] { set_fallback_policy(policy); }, "'aten::add.Tensor'"));
  policy.forbid = {};
  policy.allow = {"aten::qqqqqqqqqqqqqqqqqqqq"};
  EXPECT_TRUE(throws([&] { set_fallback_policy(policy); },
                     "allow list names 'aten::qqqqqqqqqqqqqqqqqqqq', which no operator is called."));
  policy.allow = {""};
  EXPECT_FALSE(error_of([&] { set_fallback_policy(policy); }).empty());
  EXPECT_EQ(fallback_policy().mode, FallbackMode::global);
  EXPECT_TRUE(same_bits(at::full({2}, 2.0f), one() + one()));
}

TEST_F(Policy, ForceRefusesCompositesThatWouldLoseTheirGradient) {
  FallbackPolicy policy;
  policy.force = {"aten::linear"};
  EXPECT_TRUE(throws([&] { set_fallback_policy(policy); }, "it is composite"));
  EXPECT_TRUE(throws([&] { set_fallback_policy(policy); }, "gradient"));
}

TEST_F(Policy, ForceRefusesWhatCannotGiveWayAndSaysWhy) {
  const auto refusal = [](const char* name) {
    FallbackPolicy policy;
    policy.force = {name};
    const auto error = error_of([&] { set_fallback_policy(policy); });
    EXPECT_TRUE(contains(error, std::string("cannot be forced for '") + name + "': ")) << error;
    return error;
  };
  for (const char* name : {"aten::empty.memory_format", "aten::view", "aten::as_strided", "aten::resize_"}) {
    EXPECT_TRUE(contains(refusal(name), "does not give way to the CPU's"));
  }
  for (const char* name : {"aten::_copy_from", "aten::_thnn_fused_lstm_cell"}) {
    EXPECT_TRUE(contains(refusal(name), "the CPU has none"));
  }
  EXPECT_TRUE(contains(refusal("aten::cudnn_convolution"), "the CPU has no kernel for it"));
  EXPECT_TRUE(contains(refusal("aten::ones_like"), "never falls back itself"));
  EXPECT_TRUE(fallback_policy().force.empty());
}

TEST_F(Policy, ForceOfANameTakesTheOverloadsThatCanBe) {
  FallbackPolicy policy;
  policy.forbid = {};
  policy.force = {"aten::abs"};  // abs itself is composite, abs.out has a kernel of openreg's own
  const auto x = -one();
  const LedgerScope ledger;
  const FallbackPolicyScope scope(policy);
  EXPECT_TRUE(same_on_device(at::ones({2}), at::abs(x)));
  EXPECT_TRUE(ran_by(ledger, "aten::abs.out", Way::global_fallback));
}

TEST_F(Policy, ForcedOperatorsFallBackWhateverTheMode) {
  auto policy = with_mode(FallbackMode::off);
  policy.force = {"aten::relu", "aten::add.Tensor", "aten::sub.Tensor", "aten::convolution"};
  const auto x = one();
  const auto image = at::ones({1, 1, 3, 3}, device());
  const FallbackPolicyScope scope(policy);
  EXPECT_TRUE(same_on_device(at::ones({2}), at::relu(x)));
  EXPECT_TRUE(same_on_device(at::full({2}, 2.0f), x.add(x)));
  EXPECT_TRUE(same_on_device(at::zeros({2}), x.sub(x)));
  EXPECT_TRUE(same_on_device(at::full({1, 1, 1, 1}, 9.0f), at::conv2d(image, image)));
  EXPECT_TRUE(throws([&] { x.mul(x); }, "aten::mul.Tensor"));
}

TEST_F(Policy, AWarningThatIsNotSetStaysAsItIs) {
  for (const auto warning : {FallbackWarning::always, FallbackWarning::off}) {
    FallbackPolicy policy;
    policy.warning = warning;
    const FallbackPolicyScope outer(policy);
    const FallbackPolicyScope inner(FallbackPolicy{});
    EXPECT_EQ(fallback_policy().warning, warning);
  }
  EXPECT_TRUE(fallback_policy().warning.has_value());
}

TEST_F(Policy, ScopesNestAndRestoreAlsoOnExceptions) {
  EXPECT_TRUE(throws(
      [] {
        const FallbackPolicyScope outer(with_mode(FallbackMode::off));
        {
          const FallbackPolicyScope inner(with_mode(FallbackMode::global));
          one().add(one());
        }
        EXPECT_EQ(fallback_policy().mode, FallbackMode::off);
        one().add(one());
      },
      "aten::add.Tensor"));
  EXPECT_EQ(fallback_policy().mode, FallbackMode::global);
  one().add(one());
}

TEST_F(Policy, HoldsForAllThreads) {
  const FallbackPolicyScope scope(with_mode(FallbackMode::off));
  std::string error;
  std::thread([&] { error = error_of([] { one().add(one()); }); }).join();
  EXPECT_TRUE(contains(error, "aten::add.Tensor"));
}

TEST_F(Policy, MayChangeWhileOtherThreadsCompute) {
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, x = at::ones({8}, device())] {
      while (!stop) {
        try {
          wrong += same_bits(at::full({8}, 2.0f), x + x) ? 0 : 1;
        } catch (const c10::Error&) {
        }
      }
    });
  }
  for (int i = 0; i < 100; ++i) {
    const FallbackPolicyScope scope(with_mode(i % 2 == 0 ? FallbackMode::off : FallbackMode::selective));
  }
  stop = true;
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace openreg::test
