#include <c10/core/Event.h>
#include <gtest/gtest.h>
#include <openreg/openreg.h>
#include <openreg/stream.h>
#include <torch/torch.h>

#include <atomic>
#include <thread>

#include "runtime/gate.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

constexpr auto kType = c10::DeviceType::PrivateUse1;

c10::Event timing_event() { return {kType, c10::EventFlag::BACKEND_DEFAULT}; }

TEST(Event, IsNobodysUntilItIsRecorded) {
  c10::Event event(kType);
  EXPECT_EQ(event.device_index(), -1);
  EXPECT_EQ(event.eventId(), nullptr);
  event.record(new_stream(1));
  EXPECT_EQ(event.device_index(), 1);
  EXPECT_NE(event.eventId(), nullptr);
}

TEST(Event, NeverRecordedIsDoneAndBlocksNobody) {
  const c10::Event event(kType);
  EXPECT_TRUE(event.query());
  event.synchronize();
  const auto stream = new_stream(0);
  event.block(stream);
  EXPECT_TRUE(stream.query());
}

TEST(Event, EachHasAnIdOfItsOwn) {
  const auto stream = new_stream(0);
  c10::Event first(kType);
  c10::Event second(kType);
  first.record(stream);
  second.record(stream);
  EXPECT_NE(first.eventId(), second.eventId());
}

TEST(Event, IsDoneWhenTheWorkBeforeItIs) {
  const auto stream = new_stream(0);
  Gate gate(stream);
  c10::Event event(kType);
  event.record(stream);
  EXPECT_FALSE(event.query());
  gate.open();
  event.synchronize();
  EXPECT_TRUE(event.query());
}

TEST(Event, QueryDoesNotBlockAndSynchronizeDoes) {
  const auto stream = new_stream(0);
  Gate gate(stream);
  std::atomic<bool> ran{false};
  launch(stream, [&] { ran = true; });
  c10::Event event(kType);
  event.record(stream);
  EXPECT_FALSE(event.query());
  EXPECT_FALSE(ran);
  std::thread opener([&gate] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    gate.open();
  });
  event.synchronize();
  EXPECT_TRUE(ran);
  opener.join();
}

TEST(Event, ElapsedTimeIsThatOfTheWorkBetween) {
  const auto stream = new_stream(0);
  auto start = timing_event();
  auto end = timing_event();
  start.record(stream);
  launch(stream, [] { std::this_thread::sleep_for(std::chrono::milliseconds(30)); });
  end.record(stream);
  end.synchronize();
  EXPECT_GE(start.elapsedTime(end), 29.0);
  EXPECT_LT(start.elapsedTime(end), 10'000.0);
}

// 2.6 does not look at the flags itself, so the text has to come from openreg.
TEST(Event, ElapsedTimeNeedsTiming) {
  const auto stream = new_stream(0);
  c10::Event start(kType);
  c10::Event end(kType);
  start.record(stream);
  end.record(stream);
  end.synchronize();
  EXPECT_TRUE(
      throws([&] { start.elapsedTime(end); }, "Both events must be created with argument 'enable_timing=True'."));
}

TEST(Event, ElapsedTimeOfUnfinishedEventsIsRefused) {
  const auto stream = new_stream(0);
  auto start = timing_event();
  auto end = timing_event();
  start.record(stream);
  Gate gate(stream);
  end.record(stream);
  EXPECT_TRUE(
      throws([&] { start.elapsedTime(end); }, "Both events must be completed before calculating elapsed time."));
}

TEST(Event, TakesTheDeviceOfItsStreamAndKeepsIt) {
  c10::Event event(kType);
  event.record(new_stream(0));
  EXPECT_EQ(event.device_index(), 0);
  EXPECT_TRUE(throws([&] { event.record(new_stream(1)); },
                     "Event device index 0 does not match recording stream's device index 1."));
  EXPECT_EQ(event.device_index(), 0);
}

TEST(Event, AnUnknownFlagIsRefused) {
  c10::Event event(kType, c10::EventFlag::INVALID);
  EXPECT_TRUE(throws([&] { event.record(new_stream(0)); }, "Event flag 2 is not allowed"));
}

TEST(Event, RecordOnceRecordsOnce) {
  const auto first = new_stream(0);
  const auto second = new_stream(0);
  c10::Event event(kType);
  event.recordOnce(first);
  event.synchronize();
  Gate gate(second);
  event.recordOnce(second);
  EXPECT_TRUE(event.query());
}

// In the reference backend the earlier record completes the event.
TEST(Event, RecordingAgainIsANewVersion) {
  const auto first = new_stream(0);
  const auto second = new_stream(0);
  Gate hold_first(first);
  Gate hold_second(second);
  c10::Event event(kType);
  event.record(first);
  event.record(second);
  hold_first.open();
  first.synchronize();
  EXPECT_FALSE(event.query());
  hold_second.open();
  event.synchronize();
  EXPECT_TRUE(event.query());
}

TEST(Event, AWaitIsForTheVersionOfItsMoment) {
  const auto producer = new_stream(0);
  const auto consumer = new_stream(0);
  c10::Event event(kType);
  event.record(producer);
  event.block(consumer);
  Gate gate(producer);
  event.record(producer);  // a later version, held up
  consumer.synchronize();  // is not waited for
  EXPECT_FALSE(event.query());
}

// In the reference backend the worker waits for itself, for ever.
TEST(Event, WaitingAndThenRecordingOnOneStreamDoesNotDeadlock) {
  const auto stream = new_stream(0);
  c10::Event event(kType);
  event.record(stream);
  event.block(stream);
  event.record(stream);
  stream.synchronize();
  EXPECT_TRUE(event.query());
}

TEST(Event, SeveralStreamsWaitForOne) {
  const auto producer = new_stream(0);
  const auto first = new_stream(0);
  const auto second = new_stream(1);
  Gate gate(producer);
  std::atomic<int> value{0};
  std::atomic<int> seen_first{-1};
  std::atomic<int> seen_second{-1};
  launch(producer, [&] { value = 7; });
  c10::Event event(kType);
  event.record(producer);
  event.block(first);
  event.block(second);
  launch(first, [&] { seen_first = value.load(); });
  launch(second, [&] { seen_second = value.load(); });
  gate.open();
  first.synchronize();
  second.synchronize();
  EXPECT_EQ(seen_first, 7);
  EXPECT_EQ(seen_second, 7);
}

TEST(Event, CanBeUsedAgainAndMoved) {
  const auto stream = new_stream(0);
  c10::Event event(kType);
  for (int i = 0; i < 5; ++i) {
    event.record(stream);
    event.synchronize();
    EXPECT_TRUE(event.query());
  }
  auto* id = event.eventId();
  const c10::Event moved = std::move(event);
  EXPECT_EQ(moved.eventId(), id);
  EXPECT_TRUE(moved.query());
}

TEST(Event, MayGoBeforeItsRecordIsDone) {
  const auto stream = new_stream(0);
  const auto waiting = new_stream(0);
  Gate gate(stream);
  bool ran = false;
  {
    c10::Event event(kType);
    event.record(stream);
    event.block(waiting);
    launch(waiting, [&ran] { ran = true; });
  }
  gate.open();
  waiting.synchronize();
  EXPECT_TRUE(ran);
}

TEST(Event, AroundOperatorsOnTwoStreams) {
  const auto first = new_stream(0);
  const auto second = new_stream(0);
  const auto a = at::rand({16, 16});
  const auto x = a.to(device());
  at::Tensor y;
  at::Tensor z;
  c10::Event event(kType);
  {
    const c10::StreamGuard scope(first);
    y = x.mm(x);
    event.record(first);
  }
  {
    const c10::StreamGuard scope(second);
    event.block(second);
    z = y.mm(x);
  }
  EXPECT_TRUE(same_bits(a.mm(a), y));
  EXPECT_TRUE(same_bits(a.mm(a).mm(a), z));
  second.synchronize();
  EXPECT_TRUE(event.query());
}

}  // namespace
}  // namespace openreg::test
