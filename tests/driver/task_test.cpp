#include <cstring>
#include <memory>
#include <stdexcept>

#include "driver_test.h"

namespace openreg::driver {
namespace {

using Task = DriverTest;

TEST_F(Task, SeesItsStreamsDeviceAsCurrent) {
  for (int device = 0; device < 2; ++device) {
    const TestStream stream(device);
    int seen = -1;
    void* block = nullptr;
    ASSERT_TRUE(succeeds(launch(stream, [&] {
      EXPECT_TRUE(succeeds(current_device(&seen)));
      EXPECT_TRUE(succeeds(memory_allocate(seen, 64, &block)));
    })));
    ASSERT_TRUE(succeeds(stream_synchronize(stream)));
    EXPECT_EQ(seen, device);
    PointerAttributes attributes;
    EXPECT_TRUE(succeeds(pointer_attributes(block, &attributes)));
    EXPECT_EQ(attributes.device, device);
    EXPECT_TRUE(succeeds(memory_free(block)));
  }
}

TEST_F(Task, ChangedDeviceEndsWithTheTask) {
  const TestStream stream(1);
  int seen = -1;
  ASSERT_TRUE(succeeds(launch(stream, [] { EXPECT_TRUE(succeeds(set_current_device(0))); })));
  ASSERT_TRUE(succeeds(launch(stream, [&] { EXPECT_TRUE(succeeds(current_device(&seen))); })));
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  EXPECT_EQ(seen, 1);
}

TEST_F(Task, ThatThrowsEndsAloneAndIsReportedOnce) {
  const TestStream stream;
  bool after = false;
  ASSERT_TRUE(succeeds(launch(stream, [] { throw std::runtime_error("the kernel is upset"); })));
  ASSERT_TRUE(succeeds(launch(stream, [&] { after = true; })));
  EXPECT_TRUE(fails(stream_synchronize(stream), Status::task_failed,
                    {"stream_synchronize", "1 task(s)", "the kernel is upset"}));
  EXPECT_TRUE(after);
  EXPECT_TRUE(succeeds(stream_synchronize(stream)));
  EXPECT_TRUE(succeeds(device_synchronize(0)));
}

TEST_F(Task, ThatThrowsSomethingElseIsReportedToo) {
  const TestStream stream;
  ASSERT_TRUE(succeeds(launch(stream, [] { throw 42; })));
  EXPECT_TRUE(fails(stream_synchronize(stream), Status::task_failed, {"no std::exception"}));
}

TEST_F(Task, AllThatThrewAreCountedAndQuoted) {
  const TestStream stream;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(succeeds(launch(stream, [i] { throw std::runtime_error("failure " + std::to_string(i)); })));
  }
  EXPECT_TRUE(fails(stream_synchronize(stream), Status::task_failed, {"1000 task(s)", "failure 0; failure 1;"}));
}

TEST_F(Task, FailureIsNoFailureOfAQueryOrALaunch) {
  const TestStream stream;
  const TestEvent event;
  ASSERT_TRUE(succeeds(launch(stream, [] { throw std::runtime_error("x"); })));
  ASSERT_TRUE(succeeds(event_record(event, stream)));
  EXPECT_TRUE(succeeds(event_synchronize(event)));
  EXPECT_TRUE(succeeds(stream_query(stream)));
  EXPECT_TRUE(succeeds(launch(stream, [] {})));
  EXPECT_TRUE(fails(stream_synchronize(stream), Status::task_failed));
}

// Asks the driver from its destructor, as a tensor that the task keeps alive would.
struct Held {
  Held(Stream its_stream, Status* its_query, bool* its_pending)
      : stream(its_stream), query(its_query), pending(its_pending) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    *query = stream_query(stream);
    *pending = any_work_pending();
  }
  Stream stream;
  Status* query;
  bool* pending;
};

TEST_F(Task, WhatItHoldsGoesBeforeItCountsAsDone) {
  const TestStream stream;
  Status query = Status::unsupported;
  bool pending = false;
  auto held = std::make_shared<Held>(stream, &query, &pending);
  ASSERT_TRUE(succeeds(launch(stream, [moved = std::move(held)] { EXPECT_NE(moved, nullptr); })));
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  EXPECT_EQ(query, Status::not_ready);
  EXPECT_TRUE(pending);
}

TEST_F(Task, SynchronizingItsOwnStreamReturnsAtOnce) {
  const TestStream stream;
  Status status = Status::unsupported;
  Status of_device = Status::unsupported;
  ASSERT_TRUE(succeeds(launch(stream, [&] {
    status = stream_synchronize(stream);
    of_device = device_synchronize(0);
  })));
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  EXPECT_EQ(status, Status::success);
  EXPECT_EQ(of_device, Status::success);
}

TEST_F(Task, MaySynchronizeAnotherStream) {
  const TestStream first;
  const TestStream second;
  std::atomic<int> order{0};
  int seen = -1;
  ASSERT_TRUE(succeeds(launch(second, [&] {
    std::this_thread::sleep_for(soon);
    order = 1;
  })));
  ASSERT_TRUE(succeeds(launch(first, [&] {
    EXPECT_TRUE(succeeds(stream_synchronize(second)));
    seen = order;
  })));
  ASSERT_TRUE(succeeds(stream_synchronize(first)));
  EXPECT_EQ(seen, 1);
}

TEST_F(Task, CannotDestroyItsOwnStream) {
  const TestStream stream;
  ASSERT_TRUE(succeeds(launch(stream, [&] {
    EXPECT_TRUE(fails(stream_destroy(stream), Status::invalid_argument, {"stream_destroy", "task"}));
  })));
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
}

TEST_F(Task, KnowsWhichStreamRunsIt) {
  const TestStream stream;
  const TestStream other;
  bool mine = false;
  bool others = true;
  ASSERT_TRUE(succeeds(launch(stream, [&] {
    mine = on_stream(stream);
    others = on_stream(other);
  })));
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  EXPECT_TRUE(mine);
  EXPECT_FALSE(others);
  EXPECT_FALSE(on_stream(stream));
  EXPECT_FALSE(on_stream(nullptr));
}

TEST_F(Task, MayLaunchRecordAndCreate) {
  const TestStream stream;
  const TestEvent event;
  bool inner = false;
  ASSERT_TRUE(succeeds(launch(stream, [&] {
    EXPECT_TRUE(succeeds(launch(stream, [&] { inner = true; })));
    EXPECT_TRUE(succeeds(event_record(event, stream)));
    const TestStream another;
    EXPECT_TRUE(succeeds(launch(another, [] {})));
  })));
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  ASSERT_TRUE(succeeds(event_synchronize(event)));
  EXPECT_TRUE(inner);
}

TEST_F(Task, WaitingForARecordBehindItIsRefused) {
  const TestStream stream;
  const TestEvent event;
  ASSERT_TRUE(succeeds(launch(stream, [&] {
    EXPECT_TRUE(succeeds(event_record(event, stream)));
    EXPECT_TRUE(fails(event_synchronize(event), Status::invalid_argument, {"event_synchronize", "behind"}));
  })));
  EXPECT_TRUE(succeeds(stream_synchronize(stream)));
}

TEST_F(Task, MayLaunchOnAFullQueue) {
  const TestStream stream;
  std::atomic<int> ran{0};
  ASSERT_TRUE(succeeds(launch(stream, [&] {
    for (int i = 0; i < 70000; ++i) EXPECT_TRUE(succeeds(launch(stream, [&] { ++ran; })));
  })));
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  EXPECT_EQ(ran, 70000);
}

TEST_F(Task, DoesNotReceiveTheProcesssSignals) {
  const TestStream stream;
  sigset_t blocked = {};
  ASSERT_TRUE(succeeds(launch(stream, [&] { pthread_sigmask(SIG_SETMASK, nullptr, &blocked); })));
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  EXPECT_EQ(sigismember(&blocked, SIGINT), 1);
  EXPECT_EQ(sigismember(&blocked, SIGTERM), 1);
  EXPECT_EQ(sigismember(&blocked, SIGSEGV), 0);
}

TEST_F(Task, QueuedCopyRunsInOrder) {
  constexpr std::size_t bytes = 4096;
  const TestStream stream;
  const DeviceBlock block(bytes);
  void* in = nullptr;
  void* out = nullptr;
  ASSERT_TRUE(succeeds(host_allocate(bytes, &in)));
  ASSERT_TRUE(succeeds(host_allocate(bytes, &out)));
  std::memset(in, 1, bytes);
  Gate gate;
  ASSERT_TRUE(succeeds(launch(stream, [&] { gate.wait(); })));
  ASSERT_TRUE(succeeds(copy_async(block.get(), in, bytes, CopyKind::host_to_device, stream)));
  ASSERT_TRUE(succeeds(launch(stream, [&] { EXPECT_TRUE(succeeds(fill(block.get(), 2, 10))); })));
  ASSERT_TRUE(succeeds(copy_async(out, block.get(), bytes, CopyKind::device_to_host, stream)));
  EXPECT_TRUE(holds_only(host_view(block.get()), bytes, 0));
  gate.open();
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  EXPECT_TRUE(holds_only(out, 10, 2));
  EXPECT_TRUE(holds_only(offset(out, 10), bytes - 10, 1));
  EXPECT_TRUE(succeeds(host_free(in)));
  EXPECT_TRUE(succeeds(host_free(out)));
}

TEST_F(Task, QueuedCopyIsCheckedWhenItIsQueued) {
  const TestStream stream;
  const DeviceBlock block(64);
  char host[128] = {};
  using enum CopyKind;
  EXPECT_TRUE(fails(copy_async(block.get(), host, 64, host_to_device, nullptr), Status::invalid_argument,
                    {"copy_async", "stream is null"}));
  EXPECT_TRUE(fails(copy_async(block.get(), host, 65, host_to_device, stream), Status::invalid_argument,
                    {"copy_async", "past the end"}));
  EXPECT_TRUE(fails(copy_async(host, host + 64, 64, device_to_host, stream), Status::invalid_argument));
  EXPECT_TRUE(succeeds(copy_async(nullptr, nullptr, 0, host_to_host, stream)));
  EXPECT_EQ(stream_query(stream), Status::success);
}

TEST_F(Task, QueuedCopyOfABlockFreedTooEarlyIsAReportedFailure) {
  const TestStream stream;
  void* block = nullptr;
  char host[64] = {};
  Gate gate;
  ASSERT_TRUE(succeeds(memory_allocate(0, 64, &block)));
  ASSERT_TRUE(succeeds(launch(stream, [&] { gate.wait(); })));
  ASSERT_TRUE(succeeds(copy_async(block, host, 64, CopyKind::host_to_device, stream)));
  ASSERT_TRUE(succeeds(memory_free(block)));
  gate.open();
  EXPECT_TRUE(fails(stream_synchronize(stream), Status::task_failed, {hex(block), "no live block"}));
}

}  // namespace
}  // namespace openreg::driver
