#include <array>

#include "driver_test.h"

// OPENREG_STRESS_SECONDS: how long the timed tests run.

namespace openreg::driver {
namespace {

using Stress = DriverTest;

double stress_seconds() {
  const char* text = std::getenv("OPENREG_STRESS_SECONDS");
  return text != nullptr ? std::strtod(text, nullptr) : 1.0;
}

// The program hangs where a wake-up is lost: ctest's time limit tells.
TEST_F(Stress, NoWakeUpIsLostInCreateSubmitDestroyCycles) {
  const int cycles = sanitized ? 5000 : 100000;
  int ran = 0;
  for (int i = 0; i < cycles; ++i) {
    Stream stream = nullptr;
    ASSERT_TRUE(succeeds(stream_create(i % 2, 0, &stream)));
    ASSERT_TRUE(succeeds(launch(stream, [&] { ++ran; })));
    if (i % 4 == 1) {
      ASSERT_TRUE(succeeds(stream_synchronize(stream)));
    }
    if (i % 4 == 2) std::this_thread::yield();
    ASSERT_TRUE(succeeds(stream_destroy(stream)));
  }
  EXPECT_EQ(ran, cycles);
  EXPECT_FALSE(any_work_pending());
}

TEST_F(Stress, NoWakeUpIsLostBetweenAnIdleWorkerAndALaunch) {
  const TestStream stream;
  const TestEvent event;
  int ran = 0;
  const int cycles = sanitized ? 5000 : 50000;
  for (int i = 0; i < cycles; ++i) {
    ASSERT_TRUE(succeeds(launch(stream, [&] { ++ran; })));
    if (i % 2 == 0) {
      ASSERT_TRUE(succeeds(stream_synchronize(stream)));
    } else {
      ASSERT_TRUE(succeeds(event_record(event, stream)));
      ASSERT_TRUE(succeeds(event_synchronize(event)));
    }
    ASSERT_EQ(ran, i + 1);
  }
}

// Each thread feeds its stream and makes it wait for its neighbour's latest record. A task that runs after a wait must
// find its neighbour at least as far as it was when that record was made.
TEST_F(Stress, EightStreamsWithCrossWaitsKeepEveryOrder) {
  constexpr std::size_t count = 8;
  struct Lane {
    Stream stream = nullptr;
    Event event = nullptr;
    std::mutex mutex;          // makes record and `recorded` one step
    long recorded = 0;         // tasks launched before the latest record
    std::atomic<long> run{0};  // tasks done
    long launched = 0;
    std::atomic<long> violations{0};
    std::atomic<long> waits{0};
  };
  std::array<Lane, count> lanes;
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_TRUE(succeeds(stream_create(static_cast<int>(i % 2), 0, &lanes[i].stream)));
    ASSERT_TRUE(succeeds(event_create(static_cast<int>(i % 2), false, &lanes[i].event)));
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(stress_seconds());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      Lane& mine = lanes[i];
      unsigned random = static_cast<unsigned>(i) + 1;
      while (std::chrono::steady_clock::now() < end) {
        random = random * 1664525u + 1013904223u;
        Lane& other = lanes[(i + 1 + random / 65536 % (count - 1)) % count];
        const long expected = mine.launched++;
        ASSERT_TRUE(succeeds(launch(mine.stream, [&mine, expected] {
          if (mine.run.load() != expected) ++mine.violations;
          mine.run = expected + 1;
        })));
        {
          const std::lock_guard lock(mine.mutex);
          ASSERT_TRUE(succeeds(event_record(mine.event, mine.stream)));
          mine.recorded = mine.launched;
        }
        long at_least = 0;
        {
          const std::lock_guard lock(other.mutex);
          ASSERT_TRUE(succeeds(stream_wait_event(mine.stream, other.event)));
          at_least = other.recorded;
        }
        const long after_wait = mine.launched++;
        ASSERT_TRUE(succeeds(launch(mine.stream, [&mine, &other, at_least, after_wait] {
          if (other.run.load() < at_least || mine.run.load() != after_wait) ++mine.violations;
          mine.run = after_wait + 1;
          ++mine.waits;
        })));
        if (random % 64 == 0) {
          ASSERT_TRUE(succeeds(stream_synchronize(mine.stream)));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(succeeds(device_synchronize(0)));
  EXPECT_TRUE(succeeds(device_synchronize(1)));
  for (Lane& lane : lanes) {
    EXPECT_EQ(lane.run, lane.launched);
    EXPECT_EQ(lane.violations, 0);
    EXPECT_GT(lane.waits, 0);
    EXPECT_TRUE(succeeds(event_destroy(lane.event)));
    EXPECT_TRUE(succeeds(stream_destroy(lane.stream)));
  }
  EXPECT_FALSE(any_work_pending());
}

TEST_F(Stress, MemoryCopiesAndTasksOnAllThreadsLeaveNothing) {
  MemoryInfo before[2];
  for (int device = 0; device < 2; ++device) ASSERT_TRUE(succeeds(memory_info(device, &before[device])));
  const int rounds = sanitized ? 200 : 2000;
  std::vector<std::thread> threads;
  for (int id = 0; id < 4; ++id) {
    threads.emplace_back([&, id] {
      const TestStream stream(id % 2);
      std::vector<unsigned char> host(8192, static_cast<unsigned char>(id + 1));
      for (int i = 0; i < rounds; ++i) {
        const DeviceBlock first(8192, id % 2);
        const DeviceBlock second(8192, (id + 1) % 2);
        std::vector<unsigned char> out(8192);
        ASSERT_TRUE(succeeds(copy_async(first.get(), host.data(), 8192, CopyKind::host_to_device, stream)));
        ASSERT_TRUE(succeeds(copy_async(second.get(), first.get(), 8192, CopyKind::device_to_device, stream)));
        ASSERT_TRUE(succeeds(copy_async(out.data(), second.get(), 8192, CopyKind::device_to_host, stream)));
        ASSERT_TRUE(succeeds(stream_synchronize(stream)));
        ASSERT_EQ(out, host);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int device = 0; device < 2; ++device) {
    MemoryInfo after;
    ASSERT_TRUE(succeeds(memory_info(device, &after)));
    EXPECT_EQ(after.free, before[device].free);
  }
}

}  // namespace
}  // namespace openreg::driver
