#include <gtest/gtest.h>
#include <torch/torch.h>

#include "support/alike.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

at::Tensor nothing(c10::Device where) { return at::empty({0}, where); }

TEST(Set, ATensorTakesAnothersStorageAndGeometry) {
  const auto source = counting(8).view({2, 4}).t();
  auto t = nothing(device());
  t.set_(source);
  EXPECT_TRUE(shares_storage(source, t));
  EXPECT_EQ(t.strides(), source.strides());
  t.fill_(1);
  EXPECT_TRUE(same_bits(at::ones({4, 2}), source));
}

TEST(Set, AStorageIsTakenAsOneDimension) {
  const auto source = counting(8).view({2, 4});
  auto t = nothing(device());
  t.set_(source.storage());
  EXPECT_TRUE(shares_storage(source, t));
  EXPECT_TRUE(same_bits(counting(8, at::kCPU), t));
}

TEST(Set, AStorageWithOffsetSizesAndStrides) {
  const auto source = counting(8);
  auto t = nothing(device());
  t.set_(source.storage(), 1, {2, 2}, {4, 1});
  EXPECT_TRUE(shares_storage(source, t));
  EXPECT_EQ(t.storage_offset(), 1);
  EXPECT_TRUE(same_bits(at::tensor({1.f, 2.f, 5.f, 6.f}).view({2, 2}), t));
  t.add_(10);
  EXPECT_EQ(source[6].item<float>(), 16);
}

TEST(Set, AStorageThatIsTooSmallGrowsAsOnTheCpu) {
  const auto grow = [](c10::Device where) {
    auto source = counting(8, where);
    auto t = nothing(where);
    t.set_(source.storage(), 4, {20}, {1});
    t.narrow(0, 4, 16).fill_(7);
    return t;
  };
  EXPECT_TRUE(alike([&] { return grow(at::kCPU); }, [&] { return grow(device()); }));
}

TEST(Set, WithoutASourceTheTensorIsEmpty) {
  auto t = counting(8);
  t.set_();
  EXPECT_EQ(t.numel(), 0);
  EXPECT_EQ(t.device(), device());
}

TEST(Set, RefusesWhatTheCpuRefuses) {
  const auto both = [](const std::function<void(c10::Device)>& set) {
    return throw_alike([&] { set(at::kCPU); }, [&] { set(device()); });
  };
  EXPECT_TRUE(both([](c10::Device where) { nothing(where).set_(counting(8, where).storage(), -1, {2}, {1}); }));
  EXPECT_TRUE(both([](c10::Device where) { nothing(where).set_(counting(8, where).storage(), 0, {2, 2}, {1}); }));
  // In other words than the CPU's, which speak of an overflow of numel.
  EXPECT_FALSE(error_of([] { nothing(device()).set_(counting(8).storage(), 0, {-2}, {1}); }).empty());
  EXPECT_TRUE(both([](c10::Device where) { nothing(where).set_(counting(8, where).storage(), 0, {2}, {-1}); }));
}

TEST(Set, RefusesAStorageOfAnotherDevice) {
  const auto error = error_of([] { nothing(device()).set_(counting(8, at::kCPU).storage(), 0, {2}, {1}); });
  EXPECT_TRUE(contains(error, "openreg:0"));
  EXPECT_TRUE(contains(error, "cpu"));
  EXPECT_FALSE(error_of([] { nothing(at::kCPU).set_(counting(8).storage(), 0, {2}, {1}); }).empty());
  EXPECT_FALSE(error_of([] { nothing(device(0)).set_(counting(8, device(1)).storage(), 0, {2}, {1}); }).empty());
  EXPECT_FALSE(error_of([] { nothing(device()).set_(counting(8, at::kCPU)); }).empty());
}

}  // namespace
}  // namespace openreg::test
