#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <torch/torch.h>

#include <typeinfo>

#include "support/compare.h"
#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"

// What tests/ops/abs_test.cpp leaves: the kinds of error, outputs given by the caller, and the stub's counter in each.
namespace openreg::test {
namespace {

// The type and first line of what is thrown; "" for nothing.
std::string refusal(const std::function<void()>& run) {
  try {
    run();
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    return std::string(typeid(error).name()) + ": " + text.substr(0, text.find('\n'));
  } catch (const std::exception& error) {
    return std::string(typeid(error).name()) + ": " + error.what();
  }
  return "";
}

using AbsCall = std::function<at::Tensor(const at::Tensor&)>;

class AbsCases : public testing::TestWithParam<at::ScalarType> {
 protected:
  // NaNs of bfloat16 differ within the CPU itself; see tests/ops/abs_test.cpp.
  static at::Tensor comparable(const at::Tensor& x) {
    return x.scalar_type() == at::kBFloat16 ? x.masked_fill(x.isnan(), 12345) : x;
  }

  // Both do the same, and the stub ran when it was reached: not before an error of the operator itself.
  static void expect_alike(const AbsCall& run, bool reached_when_refused) {
    for (const auto& shape : all_shapes()) {
      for (const auto& sample : layouts_of(shape, GetParam())) {
        SCOPED_TRACE(sample.name);
        at::Tensor expected;
        at::Tensor actual;
        const auto on_cpu = refusal([&] { expected = run(sample.cpu); });
        const LedgerScope scope;
        const auto on_device = refusal([&] { actual = run(sample.device); });
        EXPECT_EQ(on_cpu, on_device);
        if (on_cpu.empty() && on_device.empty()) {
          EXPECT_TRUE(same_bits(comparable(expected), comparable(actual)));
        }
        if (on_cpu.empty() || reached_when_refused) {
          EXPECT_TRUE(ran_by(scope, "aten::abs.out", Way::stub));
        }
      }
    }
  }
};

TEST_P(AbsCases, NewTensor) {
  expect_alike([](const at::Tensor& x) { return x.abs(); }, true);
}

TEST_P(AbsCases, InPlace) {
  expect_alike(
      [](const at::Tensor& x) {
        auto y = x.clone();
        return y.abs_();
      },
      !c10::isComplexType(GetParam()));
}

TEST_P(AbsCases, IntoASlice) {
  const auto real = c10::toRealValueType(GetParam());
  expect_alike(
      [real](const at::Tensor& x) {
        auto sizes = x.sizes().vec();
        sizes.push_back(3);
        auto base = at::zeros(sizes, x.options().dtype(real));
        auto out = base.select(-1, 1);
        at::abs_out(out, x);
        return base;
      },
      true);
}

TEST_P(AbsCases, IntoAnOutputThatIsTooSmall) {
  const auto real = c10::toRealValueType(GetParam());
  expect_alike(
      [real](const at::Tensor& x) {
        auto out = at::empty({0}, x.options().dtype(real));
        at::abs_out(out, x);
        return out;
      },
      true);
}

INSTANTIATE_TEST_SUITE_P(Dtypes, AbsCases, testing::ValuesIn(all_dtypes()),
                         [](const auto& test) { return std::string(c10::toString(test.param)); });

TEST(AbsRefusals, AreTheCpusKindOfError) {
  const auto same = [](const std::function<void(c10::Device)>& run) {
    const auto on_cpu = refusal([&] { run(at::kCPU); });
    EXPECT_NE(on_cpu, "");
    EXPECT_EQ(on_cpu, refusal([&] { run(device()); }));
  };
  same([](c10::Device where) { at::zeros({2}, at::device(where).dtype(at::kBool)).abs(); });
  same([](c10::Device where) { at::ones({1}, where).expand({3}).abs_(); });
  same([](c10::Device where) { at::ones({2}, at::device(where).dtype(at::kComplexDouble)).abs_(); });
  same([](c10::Device where) {
    auto out = at::zeros({1}, where).expand({3});
    at::abs_out(out, at::ones({3}, where));
  });
  same([](c10::Device where) {
    auto out = at::zeros({2}, at::device(where).dtype(at::kLong));
    at::abs_out(out, at::ones({2}, where));
  });
}

// Handed a wrong size, an operator warns and resizes; the CPU's text names it.
TEST(AbsWarnings, AnOutputOfTheWrongSizeWarnsAsOnTheCpu) {
  struct Catcher final : c10::WarningHandler {
    void process(const c10::Warning& warning) override { text += warning.msg(); }
    std::string text;
  };
  const auto warning_of = [](c10::Device where) {
    const auto input = at::full({3}, -1.f).to(where);
    auto out = at::full({2}, 0.f).to(where);
    Catcher catcher;
    auto* const before = c10::WarningUtils::get_warning_handler();
    c10::WarningUtils::set_warning_handler(&catcher);
    at::abs_out(out, input);
    c10::WarningUtils::set_warning_handler(before);
    EXPECT_EQ(out.sum().item<float>(), 3);
    return catcher.text;
  };
  const auto on_cpu = warning_of(at::kCPU);
  EXPECT_TRUE(contains(on_cpu, "resized"));
  EXPECT_EQ(on_cpu, warning_of(device()));
}

}  // namespace
}  // namespace openreg::test
