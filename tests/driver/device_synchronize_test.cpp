#include <stdexcept>

#include "driver_test.h"

namespace openreg::driver {
namespace {

using DeviceSynchronize = DriverTest;

TEST_F(DeviceSynchronize, WithoutStreamsReturns) {
  EXPECT_TRUE(succeeds(device_synchronize(0)));
  EXPECT_TRUE(succeeds(device_synchronize(1)));
}

TEST_F(DeviceSynchronize, BadDeviceIsRefused) {
  EXPECT_TRUE(fails(device_synchronize(2), Status::invalid_device, {"device_synchronize", "device 2"}));
  EXPECT_TRUE(fails(device_synchronize(-1), Status::invalid_device));
}

TEST_F(DeviceSynchronize, WaitsForAllStreamsOfThatDeviceFromAnyDevice) {
  const TestStream first(1);
  const TestStream second(1);
  std::atomic<int> done{0};
  for (const Stream stream : {Stream(first), Stream(second)}) {
    ASSERT_TRUE(succeeds(launch(stream, [&] {
      std::this_thread::sleep_for(soon);
      ++done;
    })));
  }
  ASSERT_TRUE(succeeds(set_current_device(0)));
  ASSERT_TRUE(succeeds(device_synchronize(1)));
  EXPECT_EQ(done, 2);
}

TEST_F(DeviceSynchronize, DoesNotWaitForOtherDevices) {
  const TestStream stream(1);
  Gate gate;
  ASSERT_TRUE(succeeds(launch(stream, [&] { gate.wait(); })));
  EXPECT_TRUE(succeeds(device_synchronize(0)));
  EXPECT_EQ(stream_query(stream), Status::not_ready);
  gate.open();
}

TEST_F(DeviceSynchronize, ReportsTheFailuresOfAllStreamsOnce) {
  const TestStream first;
  const TestStream second;
  ASSERT_TRUE(succeeds(launch(first, [] { throw std::runtime_error("first failed"); })));
  ASSERT_TRUE(succeeds(launch(second, [] { throw std::runtime_error("second failed"); })));
  EXPECT_TRUE(fails(device_synchronize(0), Status::task_failed,
                    {"device_synchronize", "2 task(s)", "first failed", "second failed"}));
  EXPECT_TRUE(succeeds(device_synchronize(0)));
  EXPECT_TRUE(succeeds(stream_synchronize(first)));
}

TEST_F(DeviceSynchronize, ReportsFailuresOfDestroyedStreams) {
  {
    const TestStream stream(1);
    ASSERT_TRUE(succeeds(launch(stream, [] { throw std::runtime_error("last words"); })));
  }
  EXPECT_TRUE(succeeds(device_synchronize(0)));
  EXPECT_TRUE(fails(device_synchronize(1), Status::task_failed, {"last words"}));
  EXPECT_TRUE(succeeds(device_synchronize(1)));
}

TEST_F(DeviceSynchronize, WaitsForAStreamThatIsBeingDestroyed) {
  TestStream stream;
  Gate running;
  Gate gate;
  std::atomic<bool> done{false};
  ASSERT_TRUE(succeeds(launch(stream, [&] {
    running.open();
    gate.wait();
    done = true;
  })));
  running.wait();
  std::thread destroyer([&] { stream.destroy(); });
  std::this_thread::sleep_for(soon);  // the destroyer waits for the task by now
  std::thread opener([&] {
    std::this_thread::sleep_for(soon);
    gate.open();
  });
  EXPECT_TRUE(succeeds(device_synchronize(0)));
  EXPECT_TRUE(done);
  destroyer.join();
  opener.join();
}

TEST_F(DeviceSynchronize, IsSafeAgainstConcurrentCreateAndDestroy) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int id = 0; id < 2; ++id) {
    threads.emplace_back([&] {
      while (!stop) EXPECT_TRUE(succeeds(device_synchronize(0)));
    });
  }
  for (int i = 0; i < (sanitized ? 200 : 2000); ++i) {
    TestStream stream;
    std::atomic<bool> ran{false};
    ASSERT_TRUE(succeeds(launch(stream, [&] { ran = true; })));
    stream.destroy();
    EXPECT_TRUE(ran);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace openreg::driver
