#include <dirent.h>

#include "driver_test.h"

namespace openreg::driver {
namespace {

using StreamQueue = DriverTest;

int thread_count() {
  int count = 0;
  if (DIR* directory = opendir("/proc/self/task"); directory != nullptr) {
    while (const dirent* entry = readdir(directory)) count += entry->d_name[0] != '.' ? 1 : 0;
    closedir(directory);
  }
  return count;
}

TEST_F(StreamQueue, CreatesAndDestroys) {
  Stream stream = nullptr;
  ASSERT_TRUE(succeeds(stream_create(0, 0, &stream)));
  EXPECT_NE(stream, nullptr);
  EXPECT_TRUE(succeeds(stream_destroy(stream)));
}

TEST_F(StreamQueue, BadArgumentsAreRefused) {
  Stream stream = nullptr;
  int number = 7;
  const TestStream valid;
  const DeviceProperties range = properties();
  EXPECT_TRUE(fails(stream_create(0, 0, nullptr), Status::invalid_argument, {"stream is null"}));
  EXPECT_TRUE(fails(stream_create(2, 0, &stream), Status::invalid_device, {"stream_create", "device 2"}));
  EXPECT_TRUE(fails(stream_create(-1, 0, &stream), Status::invalid_device));
  EXPECT_TRUE(fails(stream_create(0, range.least_priority + 1, &stream), Status::invalid_argument, {"priority"}));
  EXPECT_TRUE(fails(stream_create(0, range.greatest_priority - 1, &stream), Status::invalid_argument, {"priority"}));
  EXPECT_EQ(stream, nullptr);
  EXPECT_TRUE(fails(stream_destroy(nullptr), Status::invalid_argument, {"stream is null"}));
  EXPECT_TRUE(fails(stream_query(nullptr), Status::invalid_argument, {"stream_query"}));
  EXPECT_TRUE(fails(stream_synchronize(nullptr), Status::invalid_argument, {"stream_synchronize"}));
  EXPECT_TRUE(fails(stream_device(nullptr, &number), Status::invalid_argument));
  EXPECT_TRUE(fails(stream_device(valid, nullptr), Status::invalid_argument));
  EXPECT_TRUE(fails(stream_priority(nullptr, &number), Status::invalid_argument));
  EXPECT_TRUE(fails(stream_priority(valid, nullptr), Status::invalid_argument));
  EXPECT_TRUE(fails(launch(nullptr, [] {}), Status::invalid_argument, {"launch", "stream is null"}));
  EXPECT_TRUE(fails(launch(valid, nullptr), Status::invalid_argument, {"launch", "task is null"}));
  EXPECT_EQ(number, 7);
}

TEST_F(StreamQueue, KnowsItsDeviceAndPriority) {
  const DeviceProperties range = properties();
  for (int device = 0; device < 2; ++device) {
    for (int priority = range.greatest_priority; priority <= range.least_priority; ++priority) {
      const TestStream stream(device, priority);
      int its_device = -1;
      int its_priority = 99;
      EXPECT_TRUE(succeeds(stream_device(stream, &its_device)));
      EXPECT_TRUE(succeeds(stream_priority(stream, &its_priority)));
      EXPECT_EQ(its_device, device);
      EXPECT_EQ(its_priority, priority);
    }
  }
}

TEST_F(StreamQueue, RunsTasksInOrder) {
  const TestStream stream;
  std::vector<int> order;
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(succeeds(launch(stream, [&order, i] { order.push_back(i); })));
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  ASSERT_EQ(order.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST_F(StreamQueue, WorkerStartsWithTheFirstTask) {
  const int before = thread_count();
  {
    std::vector<std::unique_ptr<TestStream>> streams;
    for (int i = 0; i < 64; ++i) streams.push_back(std::make_unique<TestStream>(i % 2));
    for (const auto& stream : streams) EXPECT_TRUE(succeeds(stream_synchronize(*stream)));
    EXPECT_EQ(thread_count(), before);
    ASSERT_TRUE(succeeds(launch(*streams[5], [] {})));
    EXPECT_EQ(thread_count(), before + 1);
  }
  EXPECT_LE(thread_count(), before);
}

TEST_F(StreamQueue, QuerySaysNotReadyWhileTheLastTaskRuns) {
  const TestStream stream;
  EXPECT_EQ(stream_query(stream), Status::success);
  Gate running;
  Gate gate;
  ASSERT_TRUE(succeeds(launch(stream, [&] {
    running.open();
    gate.wait();
  })));
  ASSERT_TRUE(running.wait_for(at_last));
  EXPECT_EQ(stream_query(stream), Status::not_ready);
  EXPECT_TRUE(any_work_pending());
  gate.open();
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  EXPECT_EQ(stream_query(stream), Status::success);
  EXPECT_FALSE(any_work_pending());
}

TEST_F(StreamQueue, SynchronizeWaitsWhateverDeviceIsCurrent) {
  const TestStream stream(1);
  ASSERT_TRUE(succeeds(set_current_device(0)));
  std::atomic<bool> done{false};
  ASSERT_TRUE(succeeds(launch(stream, [&] {
    std::this_thread::sleep_for(soon);
    done = true;
  })));
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  EXPECT_TRUE(done);
}

TEST_F(StreamQueue, SynchronizeDoesNotWaitForLaterTasks) {
  const TestStream stream;
  Gate first;
  Gate later;
  ASSERT_TRUE(succeeds(launch(stream, [&] { first.wait(); })));
  Gate synchronized;
  std::atomic<bool> asked{false};
  std::thread waiter([&] {
    asked = true;
    EXPECT_TRUE(succeeds(stream_synchronize(stream)));
    synchronized.open();
  });
  while (!asked) std::this_thread::yield();
  std::this_thread::sleep_for(soon);  // the waiter is inside by now
  ASSERT_TRUE(succeeds(launch(stream, [&] { later.wait(); })));
  first.open();
  EXPECT_TRUE(synchronized.wait_for(at_last));
  later.open();
  waiter.join();
}

TEST_F(StreamQueue, DestroyRunsWhatIsQueued) {
  TestStream stream;
  std::atomic<int> ran{0};
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(succeeds(launch(stream, [&] {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      ++ran;
    })));
  }
  stream.destroy();
  EXPECT_EQ(ran, 100);
}

TEST_F(StreamQueue, DestroyAlsoRunsWhatTasksLaunch) {
  TestStream stream;
  const Stream handle = stream;
  std::atomic<int> ran{0};
  ASSERT_TRUE(succeeds(launch(stream, [&, handle] {
    std::this_thread::sleep_for(soon);
    EXPECT_TRUE(succeeds(launch(handle, [&] { ++ran; })));
  })));
  stream.destroy();
  EXPECT_EQ(ran, 1);
}

TEST_F(StreamQueue, IndependentStreamsOverlap) {
  constexpr auto task = std::chrono::milliseconds(20);
  const auto timed = [&](const std::vector<Stream>& streams) {
    const auto start = std::chrono::steady_clock::now();
    for (const Stream stream : streams) {
      for (int i = 0; i < 5; ++i) {
        EXPECT_TRUE(succeeds(launch(stream, [&] { std::this_thread::sleep_for(task); })));
      }
    }
    for (const Stream stream : streams) EXPECT_TRUE(succeeds(stream_synchronize(stream)));
    return std::chrono::steady_clock::now() - start;
  };
  const TestStream first;
  const TestStream second;
  const auto one = timed({first});
  const auto two = timed({first, second});
  EXPECT_LT(two, one * 3 / 2);
}

TEST_F(StreamQueue, HoldsManyTasksAndThenMakesTheCallerWait) {
  const TestStream stream;
  Gate gate;
  constexpr int limit = 65536;
  std::atomic<int> ran{0};
  ASSERT_TRUE(succeeds(launch(stream, [&] { gate.wait(); })));
  Gate full;
  std::atomic<int> queued{0};
  std::thread producer([&] {
    for (int i = 0; i < limit + 1000; ++i) {
      EXPECT_TRUE(succeeds(launch(stream, [&] { ++ran; })));
      ++queued;
    }
    full.open();
  });
  EXPECT_FALSE(full.wait_for(std::chrono::milliseconds(sanitized ? 3000 : 500)));
  EXPECT_LE(queued, limit + 1);
  gate.open();
  EXPECT_TRUE(full.wait_for(at_last));
  producer.join();
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  EXPECT_EQ(ran, limit + 1000);
}

TEST_F(StreamQueue, ManyThreadsMayLaunchOnOneStream) {
  const TestStream stream;
  int ran = 0;  // only the worker touches it
  std::vector<std::thread> threads;
  for (int id = 0; id < 4; ++id) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) EXPECT_TRUE(succeeds(launch(stream, [&] { ++ran; })));
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  EXPECT_EQ(ran, 8000);
}

TEST_F(StreamQueue, AnyWorkPendingIsFalseOnlyAfterTheTasksEffects) {
  const TestStream stream;
  int written = 0;  // ordered by any_work_pending() alone: ThreadSanitizer watches
  ASSERT_TRUE(succeeds(launch(stream, [&] { written = 1; })));
  while (any_work_pending()) std::this_thread::yield();
  EXPECT_EQ(written, 1);
}

}  // namespace
}  // namespace openreg::driver
