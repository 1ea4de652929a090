#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <openreg/memory.h>

#include "support/alike.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"
#include "support/silence.h"

namespace openreg::test {
namespace {

// What a call that throws leaves behind, and its words, are the CPU's.
using Call = at::Tensor (*)(c10::Device);  // returns the tensor to look at; its call threw inside
const Call kCalls[] = {
    // The result is resized before the kernel finds that the factorisation fails.
    [](c10::Device where) {
      auto out = at::full({1}, 5.0f, where);
      EXPECT_FALSE(error_of([&] { at::linalg_cholesky_out(out, -at::eye(3).to(where)); }).empty());
      return out;
    },
    [](c10::Device where) {
      auto x = at::arange(4, at::kFloat).to(where);
      EXPECT_FALSE(error_of([&] { x.add_(at::ones({3}, where)); }).empty());
      return x;
    },
    [](c10::Device where) {
      auto x = at::zeros({4}, where);
      EXPECT_FALSE(error_of([&] {
                     x.index_add_(0, at::tensor({0, 9}, at::kLong).to(where), at::ones({2}, where));
                   }).empty());
      return x;
    },
    [](c10::Device where) {
      auto out = at::ones({2}, at::device(where).dtype(at::kInt));
      EXPECT_FALSE(error_of([&] { at::div_out(out, at::ones({3}, where), at::ones({3}, where)); }).empty());
      return out;
    },
    [](c10::Device where) {
      auto out = at::ones({1}, where);
      EXPECT_FALSE(error_of([&] { at::mm_out(out, at::ones({2, 3}, where), at::ones({2, 3}, where)); }).empty());
      return out;
    },
};
class Exceptions : public testing::TestWithParam<Call> {};

TEST_P(Exceptions, LeaveTheArgumentsAsTheCpuWould) {
  const Silence silence;
  const auto expected = GetParam()(at::kCPU);
  const auto actual = GetParam()(device());
  EXPECT_EQ(expected.sizes(), actual.sizes());
  EXPECT_EQ(expected.storage().nbytes(), actual.storage().nbytes());
  EXPECT_EQ(actual.storage().device(), device());
  auto again = actual;
  again.resize_({50}).fill_(1);
  EXPECT_EQ(again.sum().item<float>(), 50);
}

INSTANTIATE_TEST_SUITE_P(All, Exceptions, testing::ValuesIn(kCalls));

TEST(ExceptionTexts, AreTheCpus) {
  const auto both = [](const std::function<void(c10::Device)>& run) {
    return throw_alike([&] { run(at::kCPU); }, [&] { run(device()); });
  };
  EXPECT_TRUE(both([](c10::Device where) { at::mm(at::ones({2, 3}, where), at::ones({2, 3}, where)); }));
  EXPECT_TRUE(both([](c10::Device where) { at::ones({2}, where).add(at::ones({3}, where)); }));
  EXPECT_TRUE(both([](c10::Device where) { at::ones({2}, where).sum(4); }));
  EXPECT_TRUE(both([](c10::Device where) { at::cat({at::ones({2}, where), at::ones({2, 2}, where)}); }));
  EXPECT_TRUE(both([](c10::Device where) { at::linalg_svd(at::ones({4, 4}, where).to(at::kHalf)); }));
  EXPECT_TRUE(both([](c10::Device where) {
    at::conv2d(at::ones({1, 2, 4, 4}, where), at::ones({1, 1, 3, 3}, where));
  }));
}

TEST(Exceptions, GiveTheMemoryBackAndTheNextCallIsRight) {
  const auto x = at::ones({100, 100}, device());
  const auto before = memory_statistics(0).allocated;
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(error_of([&] { at::linalg_cholesky(-x); }).empty());
  }
  EXPECT_EQ(memory_statistics(0).allocated, before);
  EXPECT_TRUE(same_on_device(at::full({100, 100}, 2.0f), x + x));
  EXPECT_TRUE((at::ones({3}) + 1).is_cpu());
}

// The switch that makes CPU allocations device blocks must not stay on.
TEST(Exceptions, CpuTensorsAreNotMadeOfDeviceMemoryAfterwards) {
  EXPECT_FALSE(error_of([] { at::linalg_cholesky(-at::eye(3).to(device())); }).empty());
  const auto before = memory_statistics(0).allocations;
  const auto x = at::ones({1000}) + 1;
  EXPECT_EQ(memory_statistics(0).allocations, before);
}

}  // namespace
}  // namespace openreg::test
