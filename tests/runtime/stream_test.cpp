#include <c10/core/StreamGuard.h>
#include <gtest/gtest.h>
#include <openreg/openreg.h>
#include <openreg/stream.h>
#include <torch/torch.h>

#include <filesystem>
#include <set>
#include <thread>

#include "device/driver/driver.h"
#include "runtime/gate.h"
#include "runtime/guard.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

std::ptrdiff_t threads() {
  const auto tasks = std::filesystem::directory_iterator("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

TEST(Stream, NewOneIsOfItsDeviceAndCanBeRebuilt) {
  const auto stream = guard().getNewStream(device(1));
  EXPECT_EQ(stream.device(), device(1));
  const auto data = stream.pack3();
  EXPECT_EQ(c10::Stream::unpack3(data.stream_id, data.device_index, data.device_type), stream);
  EXPECT_NE(stream, default_stream(1));
}

TEST(Stream, GuardMakesItCurrentAndRestores) {
  const auto before = current_stream(0);
  const auto stream = new_stream(0);
  {
    const c10::StreamGuard scope(stream);
    EXPECT_EQ(guard().getStream(device(0)), stream);
    EXPECT_EQ(current_stream(0), stream);
  }
  EXPECT_EQ(current_stream(0), before);
}

TEST(Stream, GuardRestoresWhenAnExceptionPasses) {
  const auto before = current_stream(0);
  EXPECT_TRUE(throws(
      [] {
        const c10::StreamGuard scope(new_stream(0));
        TORCH_CHECK(false, "thrown inside");
      },
      "thrown inside"));
  EXPECT_EQ(current_stream(0), before);
}

TEST(Stream, GuardsNest) {
  const auto before = current_stream(0);
  const auto outer = new_stream(0);
  const auto inner = new_stream(0);
  {
    const c10::StreamGuard one(outer);
    {
      const c10::StreamGuard two(inner);
      EXPECT_EQ(current_stream(0), inner);
    }
    EXPECT_EQ(current_stream(0), outer);
  }
  EXPECT_EQ(current_stream(0), before);
}

TEST(Stream, MakingOneDoesNotMakeItCurrent) {
  const auto before = current_stream(0);
  const auto stream = new_stream(0);
  EXPECT_EQ(current_stream(0), before);
  EXPECT_EQ(set_current_stream(stream), before);
  EXPECT_EQ(current_stream(0), stream);
  EXPECT_EQ(set_current_stream(before), stream);
}

TEST(Stream, CurrentIsPerDeviceAndPerThread) {
  const auto one = new_stream(1);
  const c10::StreamGuard scope(one);
  EXPECT_EQ(current_stream(1), one);
  EXPECT_EQ(current_stream(0), default_stream(0));
  c10::Stream seen = one;
  std::thread([&seen] { seen = current_stream(1); }).join();
  EXPECT_EQ(seen, default_stream(1));
}

// A task that is not done before somebody waits for it.
void launch_late(const c10::Stream& stream, bool& ran) {
  launch(stream, [&ran] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ran = true;
  });
}

TEST(Stream, SynchronizeWaitsForItsWork) {
  const auto stream = new_stream(0);
  EXPECT_TRUE(stream.query());
  bool ran = false;
  launch_late(stream, ran);
  stream.synchronize();
  EXPECT_TRUE(ran);
  EXPECT_TRUE(stream.query());
}

// The reference backend takes a task off the queue before it runs it, and is then idle.
TEST(Stream, IsBusyWhileItsLastTaskRuns) {
  const auto stream = new_stream(0);
  std::promise<void> running;
  std::promise<void> finish;
  launch(stream, [&] {
    running.set_value();
    finish.get_future().wait();
  });
  running.get_future().wait();
  EXPECT_FALSE(stream.query());
  finish.set_value();
  stream.synchronize();
  EXPECT_TRUE(stream.query());
}

// The reference backend returns at once when another device is current.
TEST(Stream, SynchronizeWaitsAlsoWhenAnotherDeviceIsCurrent) {
  const auto stream = new_stream(1);
  const c10::DeviceGuard scope(device(0));
  bool ran = false;
  launch_late(stream, ran);
  stream.synchronize();
  EXPECT_TRUE(ran);
}

TEST(Stream, SynchronizingADeviceWaitsForThatDevice) {
  const c10::DeviceGuard scope(device(0));
  bool ran = false;
  launch(new_stream(1), [&ran] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ran = true;
  });
  guard().synchronizeDevice(1);
  EXPECT_TRUE(ran);
}

TEST(Stream, SynchronizingADeviceLeavesTheOtherAlone) {
  const auto held = new_stream(0);
  const Gate gate(held);
  guard().synchronizeDevice(1);
  synchronize(1);
  EXPECT_FALSE(held.query());
}

// The reference backend runs tasks with device 0 current, whatever the stream's device.
TEST(Stream, ATaskSeesItsDeviceAndStreamAsCurrent) {
  const auto stream = new_stream(1);
  c10::DeviceIndex seen_device = -1;
  auto seen_stream = default_stream(1);
  bool grad = true;
  at::Tensor made;
  launch(stream, [&] {
    seen_device = current_device();
    seen_stream = current_stream();
    grad = at::GradMode::is_enabled();
    made = at::ones({3}, c10::Device("openreg"));
  });
  stream.synchronize();
  EXPECT_EQ(seen_device, 1);
  EXPECT_EQ(seen_stream, stream);
  EXPECT_FALSE(grad);
  EXPECT_EQ(made.device(), device(1));
}

// In the reference backend it ends the process.
TEST(Stream, AnExceptionInATaskReachesTheNextSynchronize) {
  const auto stream = new_stream(0);
  launch(stream, [] { TORCH_CHECK(false, "the task went wrong"); });
  EXPECT_TRUE(throws([&] { stream.synchronize(); }, "the task went wrong"));
  stream.synchronize();  // reported once
}

TEST(Stream, AHundredNewOnesAreAHundredQueues) {
  std::set<void*> handles;
  std::set<c10::StreamId> ids;
  for (int i = 0; i < 100; ++i) {
    const auto stream = new_stream(0);
    ids.insert(stream.id());
    handles.insert(native_handle(stream));
  }
  EXPECT_EQ(ids.size(), 100u);
  EXPECT_EQ(handles.size(), 100u);
  EXPECT_EQ(handles.count(native_handle(default_stream(0))), 0u);
}

// The reference backend starts 128 threads when the first stream is used.
TEST(Stream, NoThreadStartsBeforeTheFirstTask) {
  init();
  const auto before = threads();
  std::vector<c10::Stream> streams;
  for (int i = 0; i < 64; ++i) streams.push_back(pool_stream(0, i % 2 == 0));
  const c10::StreamGuard scope(streams[5]);
  at::ones({10}, device()).abs();
  streams[7].synchronize();
  EXPECT_EQ(threads(), before);
  launch(streams[3], [] {});
  streams[3].synchronize();
  EXPECT_EQ(threads(), before + 1);
}

TEST(Stream, PoolComesRoundAfter32AndKeepsPrioritiesApart) {
  std::set<void*> ordinary;
  std::set<void*> high;
  for (int i = 0; i < 80; ++i) {
    ordinary.insert(native_handle(guard().getStreamFromGlobalPool(device(0), false)));
    high.insert(native_handle(guard().getStreamFromGlobalPool(device(0), true)));
  }
  EXPECT_EQ(ordinary.size(), 32u);
  EXPECT_EQ(high.size(), 32u);
  ordinary.merge(high);
  EXPECT_EQ(ordinary.size(), 64u);
  EXPECT_EQ(ordinary.count(native_handle(default_stream(0))), 0u);
}

TEST(Stream, HasThePriorityAskedFor) {
  for (const int priority : {high_priority, normal_priority, low_priority}) {
    int seen = 77;
    auto* handle = static_cast<driver::Stream>(native_handle(new_stream(0, priority)));
    EXPECT_EQ(driver::stream_priority(handle, &seen), driver::Status::success);
    EXPECT_EQ(seen, priority);
  }
  int seen = 77;
  auto* handle = static_cast<driver::Stream>(native_handle(pool_stream(0, true)));
  EXPECT_EQ(driver::stream_priority(handle, &seen), driver::Status::success);
  EXPECT_EQ(seen, high_priority);
  EXPECT_TRUE(throws([] { new_stream(0, 5); }, "Stream priority 5 is out of range: use -1 (runs first) to 1"));
}

// The reference backend indexes a vector with it.
TEST(Stream, ADeviceThatDoesNotExistIsRefused) {
  EXPECT_TRUE(throws([] { static_cast<void>(guard().getNewStream(device(6))); }, "openreg:6 does not exist"));
  EXPECT_TRUE(
      throws([] { static_cast<void>(guard().getStreamFromGlobalPool(device(6))); }, "openreg:6 does not exist"));
  EXPECT_TRUE(throws([] { static_cast<void>(guard().getDefaultStream(device(6))); }, "openreg:6 does not exist"));
}

// noexcept in 2.6: the reference backend ends the process.
TEST(Stream, AskingForTheCurrentStreamOfNoDeviceIsHarmless) {
  const auto nowhere = guard().getStream(device(6));
  EXPECT_EQ(nowhere.device(), device(6));
  EXPECT_TRUE(throws([&] { nowhere.synchronize(); }, "openreg:6 does not exist"));
  EXPECT_EQ(guard().exchangeStream(nowhere), nowhere);
  EXPECT_EQ(current_stream(0), default_stream(0));
}

TEST(Stream, OneThatNobodyMadeIsRefusedWhereItIsUsed) {
  const auto forged = c10::Stream(c10::Stream::UNSAFE, device(0), 0x7ff0);
  EXPECT_TRUE(throws([&] { forged.synchronize(); }, "Stream 32752 on openreg:0 is not one of openreg's"));
  EXPECT_TRUE(throws([&] { set_current_stream(forged); }, "is not one of openreg's"));
  EXPECT_TRUE(throws([&] { launch(forged, [] {}); }, "is not one of openreg's"));
  const auto too_far = c10::Stream(c10::Stream::UNSAFE, device(0), (std::int64_t{5000} << 3) | 5);
  EXPECT_TRUE(throws([&] { static_cast<void>(too_far.query()); }, "is not one of openreg's"));
}

TEST(Stream, ExternalOnesWork) {
  init();
  driver::Stream handle = nullptr;
  ASSERT_EQ(driver::stream_create(1, 0, &handle), driver::Status::success);
  const auto stream = external_stream(handle, 1);
  EXPECT_EQ(native_handle(stream), handle);
  bool ran = false;
  launch(stream, [&ran] { ran = true; });
  stream.synchronize();
  EXPECT_TRUE(ran);
  {
    const c10::StreamGuard scope(stream);
    EXPECT_TRUE(same_bits(at::full({4}, 2.0f), at::ones({4}, device(1)) + 1));
  }
  EXPECT_TRUE(throws([&] { external_stream(handle, 0); }, "is of openreg:1, not of openreg:0"));
  EXPECT_TRUE(throws([] { external_stream(nullptr, 0); }, "stream"));
}

TEST(Stream, HasANativeHandle) {
  const auto stream = new_stream(0);
  EXPECT_NE(native_handle(stream), nullptr);
  const auto ask_libtorch = [](const auto& it) {
    if constexpr (requires { it.native_handle(); }) {
      EXPECT_EQ(it.native_handle(), native_handle(it));
    }
  };
  ask_libtorch(stream);
}

TEST(Stream, PrintsItsDeviceAndNumber) {
  std::ostringstream text;
  text << default_stream(1);
  EXPECT_EQ(text.str(), "stream 0 on device openreg:1");
}

TEST(Stream, OneWaitsForTheOtherAcrossDevices) {
  const auto first = new_stream(0);
  const auto second = new_stream(1);
  std::vector<int> order;
  Gate gate(first);
  launch(first, [&] { order.push_back(1); });
  c10::Event event(c10::DeviceType::PrivateUse1);
  event.record(first);
  event.block(second);
  launch(second, [&] { order.push_back(2); });
  EXPECT_FALSE(second.query());
  gate.open();
  second.synchronize();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

}  // namespace
}  // namespace openreg::test
