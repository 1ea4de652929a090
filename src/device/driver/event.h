#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "device/driver/driver.h"

namespace openreg::driver {

// Note [Event versions]
// Each event_record makes a record of its own, which the queue, the event and everyone who waits share. Who waits
// holds the record that was the latest at the time of the call: a later record cannot complete the wait, and a wait
// that is queued before a record on the same stream does not wait for it.
class EventRecord {
 public:
  using Clock = std::chrono::steady_clock;

  explicit EventRecord(const StreamState* stream) : stream_(stream) {}

  void complete() noexcept;
  void wait() noexcept;
  bool done(Clock::time_point* time = nullptr) noexcept;

  // Only to compare with; a stream whose record is not done is alive.
  const StreamState* stream() const { return stream_; }

 private:
  const StreamState* const stream_;
  std::mutex mutex_;
  std::condition_variable completed_;
  bool done_ = false;
  Clock::time_point time_;
};

struct EventState {
  EventState(int its_device, bool records_time) : device(its_device), timing(records_time) {}

  const int device;
  const bool timing;
  std::mutex mutex;                     // guards `latest`; taken before a stream's mutex
  std::shared_ptr<EventRecord> latest;  // null until the first record

  std::shared_ptr<EventRecord> snapshot() noexcept;
};

}  // namespace openreg::driver
