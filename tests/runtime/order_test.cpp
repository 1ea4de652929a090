#include <c10/core/StreamGuard.h>
#include <gtest/gtest.h>
#include <openreg/host_view.h>
#include <openreg/memory.h>
#include <openreg/openreg.h>
#include <openreg/stream.h>
#include <torch/torch.h>

#include <thread>

#include "device/allocator.h"
#include "device/runtime.h"
#include "runtime/gate.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

constexpr auto kDelay = std::chrono::milliseconds(30);

// Queues a task that fills x, late.
void fill_later(const c10::Stream& stream, const at::Tensor& x, float value) {
  launch(stream, [x, value] {
    std::this_thread::sleep_for(kDelay);
    MutableHostView view(x);
    view.tensor().fill_(value);
  });
}

class StreamOrder : public testing::Test {
 protected:
  c10::Stream stream_ = new_stream(0);
  c10::StreamGuard scope_{stream_};
};

TEST_F(StreamOrder, AnOperatorWaitsForItsStream) {
  auto x = at::zeros({8}, device());
  fill_later(stream_, x, 3);
  EXPECT_TRUE(same_bits(at::full({8}, 4.0f), x + 1));  // + falls back
}

TEST_F(StreamOrder, AKernelOfOurOwnWaitsForItsStream) {
  auto x = at::zeros({8}, device());
  fill_later(stream_, x, -3);
  EXPECT_TRUE(same_bits(at::full({8}, 3.0f), x.abs()));
}

TEST_F(StreamOrder, ACopyAndAScalarReadWait) {
  auto x = at::zeros({1}, device());
  fill_later(stream_, x, 5);
  EXPECT_EQ(x.item<float>(), 5);
  fill_later(stream_, x, 6);
  EXPECT_TRUE(same_bits(at::full({1}, 6.0f), x.cpu()));
  fill_later(stream_, x, 7);
  auto y = at::zeros({1}, device());
  y.copy_(x);
  EXPECT_TRUE(same_bits(at::full({1}, 7.0f), y));
}

TEST_F(StreamOrder, AHostViewWaits) {
  auto x = at::zeros({1}, device());
  fill_later(stream_, x, 5);
  EXPECT_EQ(*static_cast<const float*>(HostView(x).data()), 5);
}

TEST_F(StreamOrder, ResizingAStorageWaits) {
  auto x = at::zeros({4}, device());
  fill_later(stream_, x, 2);
  x.resize_({100'000});
  EXPECT_TRUE(same_bits(at::full({4}, 2.0f), x.narrow(0, 0, 4)));
}

TEST_F(StreamOrder, ATensorOfTheOtherDeviceIsOrderedWithThatDevice) {
  const auto other = new_stream(1);
  const c10::StreamGuard scope(other);
  auto x = at::zeros({4}, device(1));
  fill_later(other, x, 2);
  EXPECT_TRUE(same_bits(at::full({4}, 2.0f), x.to(device(0))));
}

TEST_F(StreamOrder, AnotherStreamIsNotWaitedFor) {
  const auto held = new_stream(0);
  const Gate gate(held);
  EXPECT_TRUE(same_bits(at::full({4}, 2.0f), at::ones({4}, device()) + 1));
  EXPECT_FALSE(held.query());
}

TEST_F(StreamOrder, AnErrorOfATaskReachesTheOperatorThatWaits) {
  auto x = at::zeros({4}, device());
  launch(stream_, [] {
    std::this_thread::sleep_for(kDelay);
    TORCH_CHECK(false, "the task went wrong");
  });
  EXPECT_TRUE(throws([&] { x.add(1); }, "the task went wrong"));
  EXPECT_TRUE(same_bits(at::ones({4}), x.add(1)));
}

TEST_F(StreamOrder, AnOperatorInsideATaskDoesNotWaitForItself) {
  const auto x = at::ones({4}, device());
  at::Tensor y;
  launch(stream_, [&] { y = (x + 1).abs() * x.sum().item<float>(); });
  stream_.synchronize();
  EXPECT_TRUE(same_bits(at::full({4}, 8.0f), y));
}

TEST_F(StreamOrder, AnOperatorInsideATaskOfTheDefaultStreamDoesNotWaitForItself) {
  const c10::StreamGuard scope(default_stream(0));
  const auto x = at::ones({4}, device());
  at::Tensor y;
  launch(default_stream(0), [&] { y = x + 1; });
  EXPECT_TRUE(same_bits(at::full({4}, 2.0f), (synchronize(0), y)));
}

// Writes through the address, as work does that keeps no tensor.
void write_later(const c10::Stream& stream, void* address, float value) {
  auto* host = static_cast<float*>(openreg::device::to_host(address));
  launch(stream, [host, value] { *host = value; });
}

// See Note [Freed while in use].
TEST_F(StreamOrder, AFreedBlockWaitsForTheWorkThatUsesIt) {
  auto x = at::zeros({1000}, device());
  auto* address = x.mutable_data_ptr();
  Gate gate(stream_);
  write_later(stream_, address, 99);
  x.reset();
  EXPECT_GE(memory_statistics(0).waiting, 4000u);
  // Others may have the block only when the work is done: not even the same thread on another stream.
  const c10::StreamGuard scope(default_stream(0));
  auto y = at::zeros({1000}, device());
  EXPECT_NE(y.mutable_data_ptr(), address);
  gate.open();
  stream_.synchronize();
  EXPECT_TRUE(same_bits(at::zeros({1000}), y));
  // Now it comes back.
  auto z = at::zeros({1000}, device());
  EXPECT_EQ(memory_statistics(0).waiting, 0u);
  auto w = at::zeros({1000}, device());
  EXPECT_TRUE(z.mutable_data_ptr() == address || w.mutable_data_ptr() == address);
}

TEST_F(StreamOrder, ABlockRecordedOnAnotherStreamWaitsForThatStream) {
  const auto other = new_stream(0);
  auto x = at::zeros({2000}, device());
  auto* address = x.mutable_data_ptr();
  c10::impl::VirtualGuardImpl(c10::DeviceType::PrivateUse1).recordDataPtrOnStream(x.storage().data_ptr(), other);
  Gate gate(other);
  write_later(other, address, 99);
  x.reset();
  auto y = at::zeros({2000}, device());
  EXPECT_NE(y.mutable_data_ptr(), address);
  gate.open();
  other.synchronize();
  EXPECT_TRUE(same_bits(at::zeros({2000}), y));
}

TEST_F(StreamOrder, ABlockOfAnIdleStreamIsHandedOutAtOnce) {
  const auto held = new_stream(0);
  const Gate gate(held);  // work is queued somewhere, but not where the block is used
  auto x = at::empty({3000}, device());
  auto* address = x.mutable_data_ptr();
  x.reset();
  EXPECT_EQ(at::empty({3000}, device()).mutable_data_ptr(), address);
}

TEST_F(StreamOrder, RecordingOnAForgedStreamIsRefused) {
  const auto x = at::zeros({4}, device());
  const auto forged = c10::Stream(c10::Stream::UNSAFE, device(0), 0x7ff0);
  EXPECT_TRUE(throws([&] { openreg::device::record_stream(x.const_data_ptr(), forged); }, "is not one of openreg's"));
}

TEST_F(StreamOrder, ManyFreesBehindALongTaskAllComeBack) {
  empty_cache();
  const auto before = memory_statistics(0);
  Gate gate(stream_);
  for (int i = 0; i < 500; ++i) at::empty({100 + i}, device());
  EXPECT_EQ(memory_statistics(0).allocated, before.allocated);
  EXPECT_GT(memory_statistics(0).waiting, 0u);
  gate.open();
  stream_.synchronize();
  empty_cache();
  EXPECT_EQ(memory_statistics(0).waiting, 0u);
  EXPECT_EQ(memory_statistics(0).reserved, before.reserved);
}

}  // namespace
}  // namespace openreg::test
