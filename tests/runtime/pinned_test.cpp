#include <ATen/Context.h>
#include <c10/core/StreamGuard.h>
#include <gtest/gtest.h>
#include <openreg/memory.h>
#include <openreg/openreg.h>
#include <openreg/stream.h>
#include <torch/torch.h>

#include "device/pinned_allocator.h"
#include "runtime/gate.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

class Pinned : public testing::Test {
 protected:
  static void SetUpTestSuite() { init(); }
};

TEST_F(Pinned, ATensorItsSlicesAndItsStorageArePinned) {
  const auto x = at::arange(12, at::kFloat);
  EXPECT_FALSE(x.is_pinned());
  const auto pinned = x.pin_memory();
  EXPECT_TRUE(pinned.is_pinned());
  EXPECT_TRUE(pinned.is_cpu());
  EXPECT_TRUE(same_bits(x, pinned));
  EXPECT_TRUE(pinned.slice(0, 3, 7).is_pinned());
  EXPECT_TRUE(pinned.slice(0, 1, 11, 3).is_pinned());
  EXPECT_TRUE(pinned.view({3, 4}).t().is_pinned());
  EXPECT_TRUE(openreg::device::is_pinned(pinned.storage().data()));
  EXPECT_EQ(pinned.pin_memory().data_ptr(), pinned.data_ptr());
}

TEST_F(Pinned, ATensorThatIsSetOnAPinnedStorageIsPinned) {
  const auto pinned = at::arange(12, at::kFloat).pin_memory();
  auto other = at::empty({0});
  other.set_(pinned.storage(), 4, {3}, {1});
  EXPECT_TRUE(other.is_pinned());
  EXPECT_TRUE(same_bits(at::arange(4, 7, at::kFloat), other));
}

TEST_F(Pinned, FactoriesCanPin) {
  const auto x = at::full({8}, 3.0f, at::TensorOptions().pinned_memory(true));
  EXPECT_TRUE(x.is_pinned());
  EXPECT_TRUE(same_bits(at::full({8}, 3.0f), x));
}

TEST_F(Pinned, ADeviceTensorIsNot) {
  const auto x = at::ones({4}, device());
  EXPECT_FALSE(x.is_pinned());
  EXPECT_FALSE(openreg::device::is_pinned(x.const_data_ptr()));
  EXPECT_TRUE(throws([&] { static_cast<void>(x.pin_memory()); }, "pin"));
}

TEST_F(Pinned, BlocksAreCachedAndCounted) {
  empty_pinned_cache();
  const auto before = pinned_statistics();
  auto x = at::empty({1000}, at::TensorOptions().pinned_memory(true));
  const auto* address = x.const_data_ptr();
  EXPECT_GE(pinned_statistics().allocated, before.allocated + 4000);
  x.reset();
  EXPECT_EQ(pinned_statistics().allocated, before.allocated);
  EXPECT_GT(pinned_statistics().reserved, before.reserved);
  auto y = at::empty({1000}, at::TensorOptions().pinned_memory(true));
  EXPECT_EQ(y.const_data_ptr(), address);
  y.reset();
  empty_pinned_cache();
  EXPECT_EQ(pinned_statistics().reserved, before.reserved);
  EXPECT_EQ(pinned_statistics().allocations - before.allocations, pinned_statistics().frees - before.frees);
}

TEST_F(Pinned, NonBlockingCopiesAreQueuedAndKeepTheirStorages) {
  const auto stream = new_stream(0);
  const c10::StreamGuard scope(stream);
  const auto expected = at::rand({1000});
  auto source = expected.pin_memory();
  at::Tensor x;
  auto back = at::zeros({1000}).pin_memory();
  {
    Gate gate(stream);
    x = source.to(device(), /*non_blocking=*/true);
    source.reset();
    back.copy_(x, /*non_blocking=*/true);
    EXPECT_FALSE(stream.query());
    EXPECT_TRUE(same_bits(at::zeros({1000}), back));
  }
  stream.synchronize();
  EXPECT_TRUE(same_bits(expected, back));
  EXPECT_TRUE(same_bits(expected, x));
}

TEST_F(Pinned, AQueuedCopyIsSeenByTheNextOperator) {
  const auto stream = new_stream(0);
  const c10::StreamGuard scope(stream);
  const auto source = at::rand({100'000}).pin_memory();
  for (int i = 0; i < 20; ++i) {
    const auto x = source.to(device(), /*non_blocking=*/true);
    EXPECT_TRUE(same_bits(source + 1, x + 1));
  }
}

TEST_F(Pinned, QueuedCopiesConvertTransposeAndConjugate) {
  const auto stream = new_stream(0);
  const c10::StreamGuard scope(stream);
  const auto a = at::rand({6, 7}).pin_memory();
  auto x = at::empty({7, 6}, at::device(device()).dtype(at::kDouble));
  x.copy_(a.t(), true);
  EXPECT_TRUE(same_bits(a.t().to(at::kDouble), x));
  const auto z = at::randn({5}, at::kComplexFloat).pin_memory();
  auto w = at::empty({5}, at::device(device()).dtype(at::kComplexFloat));
  w.copy_(z.conj(), true);
  EXPECT_TRUE(same_bits(z.conj().resolve_conj(), w));
}

TEST_F(Pinned, PageableMemoryIsCopiedAtOnce) {
  const auto stream = new_stream(0);
  const c10::StreamGuard scope(stream);
  auto source = at::ones({100});
  const auto x = source.to(device(), /*non_blocking=*/true);
  source.fill_(5);
  EXPECT_TRUE(stream.query());
  EXPECT_TRUE(same_bits(at::ones({100}), x));
}

TEST_F(Pinned, ARefusedCopyIsRefusedAtTheCall) {
  const auto a = at::rand({3}).pin_memory();
  auto x = at::empty({4}, device());
  EXPECT_TRUE(throws([&] { x.copy_(a, true); }, "must match"));
  auto overlapping = at::empty({1}, device()).expand({3});
  EXPECT_TRUE(throws([&] { overlapping.copy_(a, true); }, "refers to a single memory location"));
}

TEST_F(Pinned, ABlockFreedWhileRecordedOnABusyStreamIsNotReused) {
  const auto stream = new_stream(0);
  auto x = at::empty({5000}, at::TensorOptions().pinned_memory(true));
  const auto* address = x.const_data_ptr();
  Gate gate(stream);
  EXPECT_TRUE(openreg::device::record_pinned_stream(address, stream));
  x.reset();
  auto y = at::empty({5000}, at::TensorOptions().pinned_memory(true));
  EXPECT_NE(y.const_data_ptr(), address);
  gate.open();
  stream.synchronize();
  EXPECT_EQ(at::empty({5000}, at::TensorOptions().pinned_memory(true)).const_data_ptr(), address);
}

TEST_F(Pinned, ResizingADeviceTensorBehindAQueuedCopyIsOrdered) {
  const auto stream = new_stream(0);
  const c10::StreamGuard scope(stream);
  const auto source = at::rand({1000}).pin_memory();
  auto x = at::zeros({1000}, device());
  x.copy_(source, true);
  x.resize_({100'000});
  EXPECT_TRUE(same_bits(source, x.narrow(0, 0, 1000)));
}

// Freed at exit, after main: the process must end cleanly.
TEST_F(Pinned, MayLiveUntilTheProcessEnds) {
  static const auto kept = at::ones({3}).pin_memory();
  static const auto on_device = kept.to(device(), /*non_blocking=*/true);
  EXPECT_TRUE(same_bits(at::ones({3}), on_device));
}

}  // namespace
}  // namespace openreg::test
