#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <torch/torch.h>

#include "support/alike.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

// The CPU's vector code turns a bfloat16 NaN into another NaN than its scalar code does; which of the two an element
// meets depends on where it lies.
testing::AssertionResult same_abs(const std::function<at::Tensor()>& on_cpu,
                                  const std::function<at::Tensor()>& on_device) {
  const auto any_nan = [](const std::function<at::Tensor()>& run) {
    auto result = run();
    return result.scalar_type() == at::kBFloat16 ? result.masked_fill(result.isnan(), 12345) : result;
  };
  return alike([&] { return any_nan(on_cpu); }, [&] { return any_nan(on_device); });
}

class Abs : public testing::TestWithParam<at::ScalarType> {
 protected:
  static void for_each(const std::function<void(const Sample&)>& function) {
    for (const auto& shape : all_shapes()) {
      for (const auto& sample : layouts_of(shape, GetParam())) {
        SCOPED_TRACE(sample.name);
        function(sample);
      }
    }
  }
};

TEST_P(Abs, EveryLayoutIsTheCpusToTheBitAndRunsTheStub) {
  for_each([](const Sample& sample) {
    const LedgerScope scope;
    EXPECT_TRUE(same_abs([&] { return at::abs(sample.cpu); }, [&] { return at::abs(sample.device); }));
    EXPECT_TRUE(ran_by(scope, "aten::abs.out", Way::stub));
  });
}

TEST_P(Abs, InPlaceIsTheCpus) {
  for_each([](const Sample& sample) {
    EXPECT_TRUE(same_abs([&] { return sample.cpu.abs_(); }, [&] { return sample.device.abs_(); }));
  });
}

TEST_P(Abs, OutIsResizedAsOnTheCpu) {
  const auto real = c10::toRealValueType(GetParam());
  for_each([&](const Sample& sample) {
    const auto out = [&](const at::Tensor& x) {
      auto result = at::empty({0}, x.options().dtype(real));
      at::abs_out(result, x);
      return result;
    };
    EXPECT_TRUE(same_abs([&] { return out(sample.cpu); }, [&] { return out(sample.device); }));
  });
}

INSTANTIATE_TEST_SUITE_P(Dtypes, Abs, testing::ValuesIn(all_dtypes()),
                         [](const auto& test) { return std::string(c10::toString(test.param)); });

// A kernel that writes contiguously would scramble the window and what lies around it.
TEST(AbsOut, IntoAStridedWindowTouchesNothingElse) {
  const auto run = [](c10::Device where) {
    auto base = at::full({6, 8}, -5.0f, where);
    auto window = base.slice(0, 1, 4).slice(1, 0, 8, 2);
    const auto strides = window.strides().vec();
    at::abs_out(window, -at::arange(12, at::kFloat).view({3, 4}).to(where));
    EXPECT_EQ(window.strides(), c10::IntArrayRef(strides));
    base.select(1, 1).abs_();
    return base;
  };
  const LedgerScope scope;
  EXPECT_TRUE(alike([&] { return run(at::kCPU); }, [&] { return run(device()); }));
  EXPECT_EQ(scope.calls("aten::abs.out", Way::stub), 2u);
}

TEST(AbsOut, IntoATransposedTensorAndAnotherDtype) {
  const auto run = [](c10::Device where) {
    auto out = at::zeros({3, 2}, at::device(where).dtype(at::kDouble)).t();
    at::abs_out(out, -at::arange(6, at::kFloat).view({2, 3}).to(where));
    return out;
  };
  EXPECT_TRUE(alike([&] { return run(at::kCPU); }, [&] { return run(device()); }));
}

TEST(AbsOut, OverlapsAndWrongDtypesFailAsOnTheCpu) {
  const auto both = [](const std::function<void(c10::Device)>& run) {
    return throw_alike([&] { run(at::kCPU); }, [&] { run(device()); });
  };
  EXPECT_TRUE(both([](c10::Device where) {
    auto x = at::arange(6, at::kFloat).to(where);
    auto out = x.narrow(0, 1, 5);
    at::abs_out(out, x.narrow(0, 0, 5));
  }));
  EXPECT_TRUE(both([](c10::Device where) {
    auto out = at::zeros({2}, at::device(where).dtype(at::kInt));
    at::abs_out(out, at::ones({2}, where));
  }));
  EXPECT_TRUE(both([](c10::Device where) { at::ones({2}, at::device(where).dtype(at::kComplexFloat)).abs_(); }));
}

TEST(AbsGradient, FlowsThroughTheStub) {
  auto x = at::tensor({-1.f, 0.f, 2.f}).to(device()).requires_grad_();
  x.abs().sum().backward();
  EXPECT_TRUE(same_on_device(at::tensor({-1.f, 0.f, 1.f}), x.grad()));
}

TEST(AbsThreads, RunTheStubAtOnce) {
  const auto cpu = at::linspace(-5, 5, 10'000);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const auto x = cpu.to(device(t % 2));
      for (int i = 0; i < 50; ++i) wrong += same_bits(cpu.abs(), x.abs()) ? 0 : 1;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace openreg::test
