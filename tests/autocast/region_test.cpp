#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <thread>

#include "openreg/autocast.h"
#include "openreg/fallback.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

at::ScalarType dtype_of_product() {
  const auto x = at::ones({2, 2}, device());
  return at::mm(x, x).scalar_type();
}

TEST(AutocastRegion, DefaultIsHalf) {
  EXPECT_EQ(dtype_of_product(), at::kFloat);
  const AutocastRegion region;
  EXPECT_EQ(dtype_of_product(), at::kHalf);
  EXPECT_TRUE(at::autocast::is_autocast_enabled(at::kPrivateUse1));
}

TEST(AutocastRegion, RegionsNestAndRestore) {
  {
    const AutocastRegion outer(at::kBFloat16);
    {
      const AutocastRegion inner(at::kHalf);
      EXPECT_EQ(dtype_of_product(), at::kHalf);
      {
        const AutocastRegion off(std::nullopt, false);
        EXPECT_EQ(dtype_of_product(), at::kFloat);
        const AutocastRegion on_again;
        EXPECT_EQ(dtype_of_product(), at::kHalf);
      }
      EXPECT_EQ(dtype_of_product(), at::kHalf);
    }
    EXPECT_EQ(dtype_of_product(), at::kBFloat16);
  }
  EXPECT_EQ(dtype_of_product(), at::kFloat);
  EXPECT_EQ(at::autocast::get_autocast_dtype(at::kPrivateUse1), at::kHalf);
}

TEST(AutocastRegion, RestoresWhenAnExceptionPasses) {
  try {
    const AutocastRegion region(at::kBFloat16);
    throw std::runtime_error("passes");
  } catch (const std::runtime_error&) {
  }
  EXPECT_FALSE(at::autocast::is_autocast_enabled(at::kPrivateUse1));
  EXPECT_EQ(at::autocast::get_autocast_dtype(at::kPrivateUse1), at::kHalf);
}

TEST(AutocastRegion, LibtorchsOwnFunctionsAreTheSameState) {
  at::autocast::set_autocast_enabled(at::kPrivateUse1, true);
  at::autocast::set_autocast_dtype(at::kPrivateUse1, at::kBFloat16);
  EXPECT_EQ(dtype_of_product(), at::kBFloat16);
  at::autocast::set_autocast_dtype(at::kPrivateUse1, at::kHalf);
  EXPECT_EQ(dtype_of_product(), at::kHalf);
  at::autocast::set_autocast_enabled(at::kPrivateUse1, false);
  EXPECT_EQ(dtype_of_product(), at::kFloat);
}

TEST(AutocastRegion, IsTheCallingThreadsOnly) {
  const AutocastRegion region;
  auto elsewhere = at::kHalf;
  std::thread([&] { elsewhere = dtype_of_product(); }).join();
  EXPECT_EQ(elsewhere, at::kFloat);
}

TEST(AutocastRegion, AParameterIsCastOnceUntilTheOutermostRegionEnds) {
  const auto weight = at::rand({3, 3}, device()).set_requires_grad(true);
  const auto x = at::rand({3, 3}, device()).to(at::kHalf);
  const auto copies = [&](const std::function<void()>& code) {
    const LedgerScope scope;
    code();
    return scope.calls("aten::_copy_from");
  };
  {
    const AutocastRegion outer;
    EXPECT_EQ(copies([&] { at::mm(x, weight); }), 1U);
    {
      const AutocastRegion inner;
      EXPECT_EQ(copies([&] { at::mm(x, weight); }), 0U);
    }
    EXPECT_EQ(copies([&] { at::mm(x, weight); }), 0U);
    at::autocast::clear_cache();
    EXPECT_EQ(copies([&] { at::mm(x, weight); }), 1U);
  }
  const AutocastRegion later;
  EXPECT_EQ(copies([&] { at::mm(x, weight); }), 1U);
}

TEST(AutocastRegion, WithoutCacheAParameterIsCastEachTime) {
  const auto weight = at::rand({3, 3}, device()).set_requires_grad(true);
  const auto x = at::rand({3, 3}, device()).to(at::kHalf);
  const AutocastRegion region(std::nullopt, true, false);
  const LedgerScope scope;
  at::mm(x, weight);
  at::mm(x, weight);
  EXPECT_EQ(scope.calls("aten::_copy_from"), 2U);
}

class Collected final : public c10::WarningHandler {
 public:
  void process(const c10::Warning& warning) override { texts.push_back(warning.msg()); }
  std::vector<std::string> texts;
};

TEST(AutocastRegion, AnUnsupportedDtypeWarnsOnceAndCastsNothing) {
  Collected collected;
  const c10::WarningUtils::WarningHandlerGuard guard(&collected);
  for (int i = 0; i < 2; ++i) {
    const AutocastRegion region(at::kFloat);
    EXPECT_EQ(dtype_of_product(), at::kFloat);
    const auto p = at::rand({3}, device());
    EXPECT_EQ(at::binary_cross_entropy(p, p).scalar_type(), at::kFloat);
  }
  ASSERT_EQ(collected.texts.size(), 1U);
  EXPECT_TRUE(contains(collected.texts[0], "Autocast for openreg is off: it casts to Half or BFloat16"));
  EXPECT_TRUE(contains(collected.texts[0], "is Float"));
}

TEST(AutocastRegion, AnUnsupportedDtypeSetInLibtorchWarnsAtTheFirstOperator) {
  Collected collected;
  const c10::WarningUtils::WarningHandlerGuard guard(&collected);
  at::autocast::set_autocast_enabled(at::kPrivateUse1, true);
  at::autocast::set_autocast_dtype(at::kPrivateUse1, at::kDouble);
  EXPECT_EQ(dtype_of_product(), at::kFloat);
  EXPECT_EQ(dtype_of_product(), at::kFloat);
  at::autocast::set_autocast_dtype(at::kPrivateUse1, at::kHalf);
  at::autocast::set_autocast_enabled(at::kPrivateUse1, false);
  ASSERT_EQ(collected.texts.size(), 1U);
  EXPECT_TRUE(contains(collected.texts[0], "is Double"));
}

}  // namespace
}  // namespace openreg::test
