#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <openreg/fallback.h>

#include <set>
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

// libtorch's own fallback warns that a view was copied. Here it is a view, and what is said is openreg's own sentence.
TEST(Warnings, OfViewsAreOneSentenceOfOurs) {
  Collector collector;
  const auto x = at::ones({8}, device());
  const auto pairs = at::ones({4, 2}, device());
  const auto z = at::complex(x, x);
  const std::vector<std::pair<std::string, std::function<at::Tensor()>>> views{
      {"unfold", [&] { return x.unfold(0, 2, 2); }},
      {"view_as_real", [&] { return at::view_as_real(z); }},
      {"view_as_complex", [&] { return at::view_as_complex(pairs); }},
      {"real", [&] { return at::real(z); }},
      {"imag", [&] { return at::imag(z); }},
  };
  FallbackPolicy policy;
  policy.warning = FallbackWarning::always;
  const FallbackPolicyScope scope(policy);
  const c10::WarningUtils::WarningHandlerGuard guard(&collector);
  for (const auto& [name, view] : views) view();
  std::set<std::string> texts;
  for (const char* op : {"unfold", "view_as_real", "view_as_complex"}) {
    texts.insert(
        std::string("Operator 'aten::") + op +
        "' has no kernel of its own for device openreg and runs on the CPU. OPENREG_FALLBACK_WARN=off silences "
        "this.");
  }
  for (const auto& text : collector.texts) EXPECT_EQ(texts.count(text), 1U) << text;
  EXPECT_GE(collector.texts.size(), 3U);
}

}  // namespace
}  // namespace openreg::test
