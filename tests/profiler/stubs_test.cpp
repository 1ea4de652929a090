#include <gtest/gtest.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/csrc/profiler/stubs/base.h>
#include <torch/torch.h>

#include <thread>

#include "openreg/openreg.h"
#include "openreg/stream.h"
#include "support/errors.h"
#include "support/samples.h"

// What libtorch's profiler asks a device for.
namespace openreg::test {
namespace {

using torch::profiler::impl::privateuse1Stubs;
using torch::profiler::impl::ProfilerVoidEventStub;

ProfilerVoidEventStub record() {
  ProfilerVoidEventStub event;
  privateuse1Stubs()->record(nullptr, &event, nullptr);
  return event;
}

TEST(ProfilerStubs, AreOpenregs) { EXPECT_TRUE(privateuse1Stubs()->enabled()); }

TEST(ProfilerStubs, ElapsedIsTheTimeOfTheWorkBetweenInMicroseconds) {
  constexpr auto work = std::chrono::milliseconds(20);
  const auto start = record();
  launch(current_stream(), [&] { std::this_thread::sleep_for(work); });
  const auto end = record();
  const auto microseconds = privateuse1Stubs()->elapsed(&start, &end);
  EXPECT_GE(microseconds, 20000);
  EXPECT_LT(microseconds, 20e6);  // neither nano- nor milliseconds
}

TEST(ProfilerStubs, WorkOnTheCallingThreadIsBetweenTheEventsToo) {
  const auto start = record();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto end = record();
  EXPECT_GE(privateuse1Stubs()->elapsed(&start, &end), 20000);
}

TEST(ProfilerStubs, RecordTellsDeviceAndHostTime) {
  const c10::DeviceGuard guard(device(1));
  c10::DeviceIndex index = -1;
  std::int64_t first = 0;
  std::int64_t second = 0;
  ProfilerVoidEventStub event;
  privateuse1Stubs()->record(&index, &event, &first);
  privateuse1Stubs()->record(nullptr, &event, &second);
  EXPECT_EQ(index, 1);
  EXPECT_GT(first, 0);
  EXPECT_GE(second, first);
}

TEST(ProfilerStubs, EventsOfTwoDevicesHaveNoTimeBetweenThem) {
  const auto start = record();
  const c10::DeviceGuard guard(device(1));
  const auto end = record();
  EXPECT_TRUE(throws([&] { privateuse1Stubs()->elapsed(&start, &end); }, "start is of device 0, end of device 1"));
}

TEST(ProfilerStubs, EachDeviceIsVisitedAsTheCurrentOne) {
  std::vector<int> visited;
  privateuse1Stubs()->onEachDevice([&](int index) {
    EXPECT_EQ(current_device(), index);
    visited.push_back(index);
  });
  EXPECT_EQ(visited, (std::vector<int>{0, 1}));
  EXPECT_EQ(current_device(), 0);
}

TEST(ProfilerStubs, SynchronizeWaitsForAllDevices) {
  std::atomic<int> done{0};
  for (c10::DeviceIndex i = 0; i < 2; ++i) {
    launch(current_stream(i), [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      ++done;
    });
  }
  privateuse1Stubs()->synchronize();
  EXPECT_EQ(done, 2);
}

TEST(ProfilerStubs, MarkersAreRefusedWithTheStateToUse) {
  using torch::profiler::impl::ProfilerConfig;
  using torch::profiler::impl::ProfilerState;
  EXPECT_TRUE(throws([] { torch::autograd::profiler::enableProfiler(ProfilerConfig(ProfilerState::PRIVATEUSE1), {}); },
                     "KINETO_PRIVATEUSE1_FALLBACK"));
}

}  // namespace
}  // namespace openreg::test
