#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <torch/torch.h>

#include <thread>

#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

class Collector final : public c10::WarningHandler {
 public:
  void process(const c10::Warning& warning) override { texts.push_back(warning.msg()); }
  std::vector<std::string> texts;
};

TEST(Strict, AnOperatorThatFallsBackThrowsAndIsNamed) {
  const auto x = at::ones({2}, device());
  {
    const ExpectNoFallback strict;
    x.abs();
    x.clone();
    EXPECT_TRUE(throws([&] { x.add(x); }, "aten::add.Tensor"));
    EXPECT_TRUE(throws([&] { x.relu(); }, "aten::relu"));
    { const ExpectNoFallback nested; }
    EXPECT_TRUE(throws([&] { x.relu(); }, "aten::relu"));
  }
  x.relu();
}

TEST(Strict, HoldsForItsOwnThreadOnly) {
  const ExpectNoFallback strict;
  std::string error = "not run";
  std::thread([&] { error = error_of([] { at::ones({2}, device()).relu(); }); }).join();
  EXPECT_EQ(error, "");
}

TEST(Warnings, ComeOnceAnOperatorAlwaysOrNever) {
  Collector collector;
  const c10::WarningUtils::WarningHandlerGuard guard(&collector);
  const auto count = [&](FallbackWarning warning) {
    FallbackPolicy policy;
    policy.warning = warning;
    const FallbackPolicyScope scope(policy);
    collector.texts.clear();
    const auto x = at::empty({2}, device());
    for (int i = 0; i < 3; ++i) at::erfinv(x);
    return collector.texts.size();
  };
  EXPECT_EQ(count(FallbackWarning::off), 0u);
  EXPECT_EQ(count(FallbackWarning::once), 1u);
  EXPECT_EQ(count(FallbackWarning::once), 0u);
  EXPECT_EQ(count(FallbackWarning::always), 3u);
  EXPECT_EQ(collector.texts[0].find("Operator 'aten::erfinv' has no kernel of its own for device openreg"), 0u);
}

}  // namespace
}  // namespace openreg::test
