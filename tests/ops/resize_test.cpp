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

TEST(Resize, GrowingKeepsTheOldValues) {
  const LedgerScope scope;
  auto x = counting(6);
  x.resize_({1000, 3});
  EXPECT_EQ(x.sizes(), c10::IntArrayRef({1000, 3}));
  EXPECT_TRUE(same_bits(counting(6, at::kCPU), x.view({-1}).narrow(0, 0, 6)));
  x.fill_(1);
  EXPECT_EQ(x.sum().item<float>(), 3000);
  EXPECT_TRUE(ran_by(scope, "aten::resize_", Way::native));
}

TEST(Resize, ShrinkingKeepsTheStorage) {
  auto x = counting(6);
  const auto* address = x.const_data_ptr();
  x.resize_({2});
  EXPECT_EQ(x.const_data_ptr(), address);
  EXPECT_EQ(x.storage().nbytes(), 6 * sizeof(float));
  x.resize_({2, 3});
  EXPECT_TRUE(same_bits(counting(6, at::kCPU).view({2, 3}), x));
}

TEST(Resize, AViewGrowsTheStorageOfItsBase) {
  const auto grow = [](c10::Device where) {
    auto base = counting(6, where);
    auto view = base.narrow(0, 4, 2);
    view.resize_({10});
    view.fill_(9);
    return base;
  };
  EXPECT_TRUE(alike([&] { return grow(at::kCPU); }, [&] { return grow(device()); }));
}

TEST(Resize, AGrowthThatFailsChangesNothing) {
  auto x = counting(6);
  EXPECT_THROW(x.resize_({std::int64_t{1} << 44}), c10::OutOfMemoryError);
  EXPECT_TRUE(same_bits(counting(6, at::kCPU), x));
}

TEST(Resize, ASetThatFailsChangesNothing) {
  auto x = counting(6);
  EXPECT_THROW(x.set_(x.storage(), std::int64_t{1} << 44, {2}, {1}), c10::OutOfMemoryError);
  EXPECT_EQ(x.storage_offset(), 0);
  EXPECT_TRUE(same_bits(counting(6, at::kCPU), x));
}

// libtorch 2.6 then keeps the strides and does not grow the storage; 2.14 refuses.
TEST(Resize, ASetThatChangesOnlyTheOffsetDoesWhatTheCpuDoes) {
  const auto after_set = [](c10::Device where) {
    auto x = at::empty_strided({3, 1}, {1, 3}, where);
    x.set_(x.storage(), 2, {3, 1}, {1, 3});
    const auto bytes = static_cast<std::int64_t>(x.storage().nbytes());
    return at::tensor({x.storage_offset(), x.stride(0), x.stride(1), bytes}).to(where);
  };
  EXPECT_TRUE(alike([&] { return after_set(at::kCPU); }, [&] { return after_set(device()); }));
}

TEST(Resize, FromNothingAndToNothing) {
  auto x = at::empty({0}, device());
  x.resize_({4}).fill_(2);
  EXPECT_TRUE(same_bits(at::full({4}, 2.0f), x));
  x.resize_({0, 5});
  EXPECT_EQ(x.numel(), 0);
  x.resize_({});
  EXPECT_EQ(x.item<float>(), 2);
}

TEST(Resize, MemoryFormatsAreTheCpus) {
  for (const auto format : {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast, at::MemoryFormat::Preserve}) {
    const auto resize = [&](c10::Device where) { return at::empty({0}, where).resize_({2, 3, 4, 5}, format).fill_(1); };
    EXPECT_TRUE(alike([&] { return resize(at::kCPU); }, [&] { return resize(device()); }));
  }
}

TEST(Resize, RefusesWhatTheCpuRefuses) {
  EXPECT_TRUE(throws([] { counting(6).resize_({-2}); }, "negative dimension -2"));
  const auto fixed = [](c10::Device where) {
    auto x = counting(6, where);
    x.storage().unsafeGetStorageImpl()->set_resizable(false);
    x.resize_({100});
  };
  EXPECT_TRUE(throw_alike([&] { fixed(at::kCPU); }, [&] { fixed(device()); }));
}

TEST(Resize, AFailedGrowthLeavesTheTensorUsable) {
  auto x = counting(6);
  x.storage().unsafeGetStorageImpl()->set_resizable(false);
  EXPECT_TRUE(throws([&] { x.resize_({100}); }, "not resizable"));
  x.resize_({6});
  EXPECT_TRUE(same_bits(counting(6, at::kCPU), x));
}

TEST(Resize, StaysOnItsDevice) {
  auto x = counting(6, device(1));
  x.resize_({100'000});
  EXPECT_EQ(x.storage().device(), device(1));
  EXPECT_TRUE(same_bits(counting(6, at::kCPU), x.narrow(0, 0, 6)));
}

TEST(Resize, AsCopiesTheShapeOfAnother) {
  EXPECT_EQ(counting(6).resize_as_(at::empty({2, 5}, device())).sizes(), c10::IntArrayRef({2, 5}));
}

}  // namespace
}  // namespace openreg::test
