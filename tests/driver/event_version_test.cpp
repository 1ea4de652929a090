#include "driver_test.h"

// Each record is a version of its own. A reference device keeps one flag per event, which the next pending record
// completes or resets; the comments say what that device does.

namespace openreg::driver {
namespace {

using EventVersion = DriverTest;

TEST_F(EventVersion, EarlierRecordDoesNotCompleteALaterOne) {
  // The reference reports the event done after the first record's work.
  const TestStream stream;
  const TestEvent event;
  Gate first;
  Gate second;
  Gate second_runs;
  ASSERT_TRUE(succeeds(launch(stream, [&] { first.wait(); })));
  ASSERT_TRUE(succeeds(event_record(event, stream)));
  ASSERT_TRUE(succeeds(launch(stream, [&] {
    second_runs.open();
    second.wait();
  })));
  ASSERT_TRUE(succeeds(event_record(event, stream)));
  first.open();
  ASSERT_TRUE(second_runs.wait_for(at_last));
  EXPECT_EQ(event_query(event), Status::not_ready);
  second.open();
  EXPECT_TRUE(succeeds(event_synchronize(event)));
}

TEST_F(EventVersion, LaterRecordDoesNotCompleteAnEarlierWait) {
  const TestStream slow;
  const TestStream fast;
  const TestStream waiter;
  const TestEvent event;
  Gate gate;
  Gate waited;
  ASSERT_TRUE(succeeds(launch(slow, [&] { gate.wait(); })));
  ASSERT_TRUE(succeeds(event_record(event, slow)));
  ASSERT_TRUE(succeeds(stream_wait_event(waiter, event)));
  ASSERT_TRUE(succeeds(launch(waiter, [&] { waited.open(); })));
  ASSERT_TRUE(succeeds(event_record(event, fast)));
  ASSERT_TRUE(succeeds(event_synchronize(event)));
  EXPECT_FALSE(waited.wait_for(soon));
  gate.open();
  EXPECT_TRUE(waited.wait_for(at_last));
}

TEST_F(EventVersion, LaterRecordDoesNotProlongAnEarlierWait) {
  const TestStream stream;
  const TestStream waiter;
  const TestEvent event;
  Gate first;
  Gate second;
  Gate waited;
  ASSERT_TRUE(succeeds(launch(stream, [&] { first.wait(); })));
  ASSERT_TRUE(succeeds(event_record(event, stream)));
  ASSERT_TRUE(succeeds(stream_wait_event(waiter, event)));
  ASSERT_TRUE(succeeds(launch(waiter, [&] { waited.open(); })));
  ASSERT_TRUE(succeeds(launch(stream, [&] { second.wait(); })));
  ASSERT_TRUE(succeeds(event_record(event, stream)));
  first.open();
  EXPECT_TRUE(waited.wait_for(at_last));
  EXPECT_EQ(event_query(event), Status::not_ready);
  second.open();
}

TEST_F(EventVersion, HostWaitBeginsOnTheRecordOfItsTime) {
  const TestStream stream;
  const TestEvent event;
  Gate first;
  Gate second;
  Gate returned;
  ASSERT_TRUE(succeeds(launch(stream, [&] { first.wait(); })));
  ASSERT_TRUE(succeeds(event_record(event, stream)));
  std::thread waiter([&] {
    EXPECT_TRUE(succeeds(event_synchronize(event)));
    returned.open();
  });
  std::this_thread::sleep_for(soon);  // the waiter is inside by now
  ASSERT_TRUE(succeeds(launch(stream, [&] { second.wait(); })));
  ASSERT_TRUE(succeeds(event_record(event, stream)));
  first.open();
  EXPECT_TRUE(returned.wait_for(at_last));
  second.open();
  waiter.join();
}

TEST_F(EventVersion, WaitThenRecordOnTheSameStreamDoesNotDeadlock) {
  // The reference's worker waits for its own record for ever.
  const TestStream stream;
  const TestEvent event;
  Gate gate;
  bool ran = false;
  ASSERT_TRUE(succeeds(launch(stream, [&] { gate.wait(); })));
  ASSERT_TRUE(succeeds(event_record(event, stream)));
  ASSERT_TRUE(succeeds(stream_wait_event(stream, event)));
  ASSERT_TRUE(succeeds(event_record(event, stream)));
  ASSERT_TRUE(succeeds(stream_wait_event(stream, event)));
  ASSERT_TRUE(succeeds(launch(stream, [&] { ran = true; })));
  gate.open();
  ASSERT_TRUE(succeeds(stream_synchronize(stream)));
  EXPECT_TRUE(ran);
}

TEST_F(EventVersion, WaitBeforeTheFirstRecordDoesNotWaitForIt) {
  const TestStream stream;
  const TestStream other;
  const TestEvent event;
  Gate gate;
  ASSERT_TRUE(succeeds(launch(other, [&] { gate.wait(); })));
  ASSERT_TRUE(succeeds(stream_wait_event(stream, event)));
  ASSERT_TRUE(succeeds(event_record(event, other)));
  ASSERT_TRUE(succeeds(launch(stream, [] {})));
  EXPECT_TRUE(succeeds(stream_synchronize(stream)));
  gate.open();
}

TEST_F(EventVersion, WaitOutlivesItsEventAndTheRecordsStream) {
  const TestStream waiter;
  Gate gate;
  int value = 0;
  int seen = -1;
  std::thread opener;
  {
    const TestStream producer;
    const TestEvent event;
    ASSERT_TRUE(succeeds(launch(producer, [&] {
      gate.wait();
      value = 3;
    })));
    ASSERT_TRUE(succeeds(event_record(event, producer)));
    ASSERT_TRUE(succeeds(stream_wait_event(waiter, event)));
    ASSERT_TRUE(succeeds(launch(waiter, [&] { seen = value; })));
    opener = std::thread([&] {
      std::this_thread::sleep_for(soon);
      gate.open();
    });
  }
  ASSERT_TRUE(succeeds(stream_synchronize(waiter)));
  EXPECT_EQ(seen, 3);
  opener.join();
}

}  // namespace
}  // namespace openreg::driver
