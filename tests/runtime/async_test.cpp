#include <ATen/ATen.h>
#include <c10/core/StreamGuard.h>
#include <gtest/gtest.h>
#include <openreg/memory.h>
#include <openreg/openreg.h>
#include <openreg/stream.h>

#include <cstdlib>

#include "runtime/gate.h"
#include "support/compare.h"
#include "support/samples.h"

// A program of its own: OPENREG_ASYNC is read once. Where memory is staged, abs waits for its stream.
namespace openreg::test {
namespace {

[[maybe_unused]] const int asynchronous = setenv("OPENREG_ASYNC", "1", 1) + setenv("OPENREG_HOST_ACCESS", "mapped", 1);

class Async : public testing::Test {
 protected:
  c10::Stream stream_ = new_stream(0);
  c10::StreamGuard scope_{stream_};
};

TEST_F(Async, AbsReturnsBeforeItIsDone) {
  const auto x = at::full({1000}, -2.0f, device());
  Gate gate(stream_);
  const auto y = x.abs();
  EXPECT_FALSE(stream_.query());
  gate.open();
  EXPECT_TRUE(same_bits(at::full({1000}, 2.0f), y));
}

TEST_F(Async, ACopyWithinTheDeviceReturnsBeforeItIsDone) {
  const auto x = at::arange(1000, at::kFloat).to(device());
  Gate gate(stream_);
  const auto y = x.clone();
  EXPECT_FALSE(stream_.query());
  gate.open();
  EXPECT_TRUE(same_bits(at::arange(1000, at::kFloat), y));
}

// Which NaN a bfloat16 NaN becomes depends on whether the CPU's vector code or its scalar code meets it.
at::Tensor any_nan(const at::Tensor& x) {
  return x.scalar_type() == at::kBFloat16 ? x.masked_fill(x.isnan(), 12345) : x;
}

TEST_F(Async, EveryLayoutAndDtypeGivesTheSameBits) {
  for (const auto& sample : all_samples()) {
    if (sample.cpu.scalar_type() == at::kBool) continue;
    try {
      const auto expected = any_nan(sample.cpu.abs());
      EXPECT_TRUE(same_bits(expected, any_nan(sample.device.abs()))) << sample.name;
    } catch (const c10::Error&) {
      EXPECT_ANY_THROW(sample.device.abs()) << sample.name;
    }
    EXPECT_TRUE(same_bits(sample.cpu.clone(), sample.device.clone())) << sample.name;
  }
}

TEST_F(Async, AChainOfOperatorsIsOrdered) {
  const auto a = at::randn({300, 300});
  auto expected = a;
  auto x = a.to(device());
  for (int i = 0; i < 20; ++i) {
    expected = expected.abs().clone().sub(0.25);
    x = x.abs().clone().sub(0.25);
  }
  EXPECT_TRUE(same_bits(expected, x));
}

TEST_F(Async, WritesInPlaceAndIntoOut) {
  const auto a = at::randn({50, 50});
  auto x = a.to(device());
  auto out = at::empty({0}, device());
  at::abs_out(out, x.t());
  x.abs_();
  EXPECT_TRUE(same_bits(a.t().abs(), out));
  EXPECT_TRUE(same_bits(a.abs(), x));
}

TEST_F(Async, OperandsMayGoAtOnce) {
  const auto a = at::randn({1000});
  for (int i = 0; i < 200; ++i) {
    auto y = a.to(device()).abs();  // its input is freed while abs is queued
    const auto other = at::full({1000}, 5.0f, device());
    ASSERT_TRUE(same_bits(a.abs(), y));
  }
}

TEST_F(Async, InsideATaskItRunsAtOnce) {
  const auto x = at::full({10}, -2.0f, device());
  float seen = 0;
  launch(stream_, [&] { seen = x.abs().clone().sum().item<float>(); });
  stream_.synchronize();
  EXPECT_EQ(seen, 20);
}

TEST_F(Async, GradientsAreTheCpus) {
  auto a = at::randn({20}).requires_grad_();
  auto x = a.detach().to(device()).requires_grad_();
  a.abs().mul(3).sum().backward();
  x.abs().mul(3).sum().backward();
  EXPECT_TRUE(same_bits(a.grad(), x.grad()));
}

TEST_F(Async, StatisticsReturnToWhereTheyWere) {
  synchronize();
  const auto before = memory_statistics(0).allocated;
  for (int i = 0; i < 100; ++i) at::ones({1000}, device()).abs().clone();
  synchronize();
  EXPECT_EQ(memory_statistics(0).allocated, before);
}

}  // namespace
}  // namespace openreg::test
