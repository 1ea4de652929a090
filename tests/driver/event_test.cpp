#include "driver_test.h"

namespace openreg::driver {
namespace {

using EventHandle = DriverTest;

TEST_F(EventHandle, CreatesAndDestroysWithAndWithoutTiming) {
  for (const bool timing : {false, true}) {
    Event event = nullptr;
    ASSERT_TRUE(succeeds(event_create(1, timing, &event)));
    EXPECT_NE(event, nullptr);
    EXPECT_TRUE(succeeds(event_destroy(event)));
  }
}

TEST_F(EventHandle, BadArgumentsAreRefused) {
  const TestEvent event;
  const TestStream stream;
  Event result = nullptr;
  double milliseconds = -1;
  EXPECT_TRUE(fails(event_create(0, true, nullptr), Status::invalid_argument, {"event_create", "event is null"}));
  EXPECT_TRUE(fails(event_create(2, true, &result), Status::invalid_device, {"device 2"}));
  EXPECT_EQ(result, nullptr);
  EXPECT_TRUE(fails(event_destroy(nullptr), Status::invalid_argument));
  EXPECT_TRUE(fails(event_record(nullptr, stream), Status::invalid_argument, {"event is null"}));
  EXPECT_TRUE(fails(event_record(event, nullptr), Status::invalid_argument, {"stream is null"}));
  EXPECT_TRUE(fails(event_query(nullptr), Status::invalid_argument));
  EXPECT_TRUE(fails(event_synchronize(nullptr), Status::invalid_argument));
  EXPECT_TRUE(fails(stream_wait_event(nullptr, event), Status::invalid_argument, {"stream is null"}));
  EXPECT_TRUE(fails(stream_wait_event(stream, nullptr), Status::invalid_argument, {"event is null"}));
  EXPECT_TRUE(fails(event_elapsed_ms(nullptr, event, &milliseconds), Status::invalid_argument, {"start is null"}));
  EXPECT_TRUE(fails(event_elapsed_ms(event, nullptr, &milliseconds), Status::invalid_argument, {"end is null"}));
  EXPECT_TRUE(fails(event_elapsed_ms(event, event, nullptr), Status::invalid_argument, {"milliseconds is null"}));
  EXPECT_EQ(milliseconds, -1);
}

TEST_F(EventHandle, NeverRecordedBlocksNobody) {
  const TestEvent event;
  const TestStream stream;
  EXPECT_EQ(event_query(event), Status::success);
  EXPECT_TRUE(succeeds(event_synchronize(event)));
  EXPECT_TRUE(succeeds(stream_wait_event(stream, event)));
  bool ran = false;
  ASSERT_TRUE(succeeds(launch(stream, [&] { ran = true; })));
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  EXPECT_TRUE(ran);
}

TEST_F(EventHandle, RecordIsDoneWhenTheWorkBeforeItIs) {
  const TestStream stream;
  const TestEvent event;
  Gate gate;
  bool done = false;
  ASSERT_TRUE(succeeds(launch(stream, [&] {
    gate.wait();
    done = true;
  })));
  ASSERT_TRUE(succeeds(event_record(event, stream)));
  EXPECT_EQ(event_query(event), Status::not_ready);
  gate.open();
  ASSERT_TRUE(succeeds(event_synchronize(event)));
  EXPECT_TRUE(done);
  EXPECT_EQ(event_query(event), Status::success);
}

// Its time is then that of the call, and not that at which a worker wakes up.
TEST_F(EventHandle, ARecordOnAnIdleStreamIsDoneAtOnce) {
  const TestEvent event;
  const TestStream stream;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(succeeds(event_record(event, stream)));
    ASSERT_EQ(event_query(event), Status::success);
  }
}

TEST_F(EventHandle, IsNotDelayedByLaterWork) {
  const TestStream stream;
  const TestEvent event;
  Gate gate;
  ASSERT_TRUE(succeeds(event_record(event, stream)));
  ASSERT_TRUE(succeeds(launch(stream, [&] { gate.wait(); })));
  EXPECT_TRUE(succeeds(event_synchronize(event)));
  EXPECT_EQ(stream_query(stream), Status::not_ready);
  gate.open();
}

TEST_F(EventHandle, AndItsStreamAreDoneAtOnce) {
  const TestStream stream;
  const TestEvent event;
  for (int i = 0; i < 4000; ++i) {
    ASSERT_TRUE(succeeds(event_record(event, stream)));
    if (i % 4 == 0) {
      ASSERT_TRUE(succeeds(event_synchronize(event)));
      ASSERT_EQ(stream_query(stream), Status::success);
    } else if (i % 2 == 0) {
      while (event_query(event) != Status::success) {
      }
      ASSERT_EQ(stream_query(stream), Status::success);
    } else {
      ASSERT_TRUE(succeeds(stream_synchronize(stream)));
      ASSERT_EQ(event_query(event), Status::success);
    }
    ASSERT_FALSE(any_work_pending());
  }
}

TEST_F(EventHandle, IsRecordedOnStreamsOfItsDeviceOnly) {
  const TestStream other(1);
  const TestEvent event(0);
  EXPECT_TRUE(fails(event_record(event, other), Status::wrong_device, {"event_record", "device 0", "device 1"}));
  EXPECT_EQ(event_query(event), Status::success);
  EXPECT_EQ(stream_query(other), Status::success);
}

TEST_F(EventHandle, ElapsedTimeIsTheTimeBetweenTheRecords) {
  const TestStream stream;
  const TestEvent start;
  const TestEvent end;
  ASSERT_TRUE(succeeds(event_record(start, stream)));
  ASSERT_TRUE(succeeds(launch(stream, [] { std::this_thread::sleep_for(std::chrono::milliseconds(30)); })));
  ASSERT_TRUE(succeeds(event_record(end, stream)));
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  double milliseconds = 0;
  ASSERT_TRUE(succeeds(event_elapsed_ms(start, end, &milliseconds)));
  EXPECT_GE(milliseconds, 30);
  EXPECT_LT(milliseconds, 3000);
  double back = 0;
  ASSERT_TRUE(succeeds(event_elapsed_ms(end, start, &back)));
  EXPECT_DOUBLE_EQ(back, -milliseconds);
}

TEST_F(EventHandle, ElapsedTimeNeedsBothRecordsDone) {
  const TestStream stream;
  const TestEvent start;
  const TestEvent end;
  double milliseconds = -1;
  EXPECT_TRUE(
      fails(event_elapsed_ms(start, end, &milliseconds), Status::invalid_argument, {"start was never recorded"}));
  Gate gate;
  ASSERT_TRUE(succeeds(event_record(start, stream)));
  ASSERT_TRUE(succeeds(launch(stream, [&] { gate.wait(); })));
  EXPECT_TRUE(fails(event_elapsed_ms(start, end, &milliseconds), Status::invalid_argument, {"end was never recorded"}));
  ASSERT_TRUE(succeeds(event_record(end, stream)));
  EXPECT_EQ(event_elapsed_ms(start, end, &milliseconds), Status::not_ready);
  EXPECT_EQ(milliseconds, -1);
  gate.open();
}

TEST_F(EventHandle, ElapsedTimeNeedsTimingOnBoth) {
  const TestStream stream;
  const TestEvent timed;
  const TestEvent untimed(0, false);
  ASSERT_TRUE(succeeds(event_record(timed, stream)));
  ASSERT_TRUE(succeeds(event_record(untimed, stream)));
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  double milliseconds = 0;
  EXPECT_TRUE(
      fails(event_elapsed_ms(timed, untimed, &milliseconds), Status::timing_disabled, {"end", "without timing"}));
  EXPECT_TRUE(fails(event_elapsed_ms(untimed, timed, &milliseconds), Status::timing_disabled, {"start"}));
}

TEST_F(EventHandle, ElapsedTimeNeedsOneDevice) {
  const TestStream first(0);
  const TestStream second(1);
  const TestEvent start(0);
  const TestEvent end(1);
  ASSERT_TRUE(succeeds(event_record(start, first)));
  ASSERT_TRUE(succeeds(event_record(end, second)));
  ASSERT_TRUE(succeeds(event_synchronize(start)));
  ASSERT_TRUE(succeeds(event_synchronize(end)));
  double milliseconds = 0;
  EXPECT_TRUE(fails(event_elapsed_ms(start, end, &milliseconds), Status::wrong_device, {"device 0", "device 1"}));
}

TEST_F(EventHandle, StreamWaitsForAnUnfinishedProducerOnAnotherDevice) {
  const TestStream producer(0);
  const TestStream consumer(1);
  const TestEvent event(0);
  Gate gate;
  int value = 0;
  int seen = -1;
  ASSERT_TRUE(succeeds(launch(producer, [&] {
    gate.wait();
    value = 7;
  })));
  ASSERT_TRUE(succeeds(event_record(event, producer)));
  ASSERT_TRUE(succeeds(stream_wait_event(consumer, event)));
  ASSERT_TRUE(succeeds(launch(consumer, [&] { seen = value; })));
  std::this_thread::sleep_for(soon);
  EXPECT_EQ(stream_query(consumer), Status::not_ready);
  gate.open();
  ASSERT_TRUE(succeeds(stream_synchronize(consumer)));
  EXPECT_EQ(seen, 7);
}

TEST_F(EventHandle, TasksLaunchedBeforeTheWaitDoNotWait) {
  const TestStream producer;
  const TestStream consumer;
  const TestEvent event;
  Gate gate;
  Gate before;
  ASSERT_TRUE(succeeds(launch(producer, [&] { gate.wait(); })));
  ASSERT_TRUE(succeeds(event_record(event, producer)));
  ASSERT_TRUE(succeeds(launch(consumer, [&] { before.open(); })));
  ASSERT_TRUE(succeeds(stream_wait_event(consumer, event)));
  EXPECT_TRUE(before.wait_for(at_last));
  gate.open();
}

}  // namespace
}  // namespace openreg::driver
