#include "device/driver/event.h"

#include <new>

#include "device/driver/error.h"
#include "device/driver/state.h"
#include "device/driver/stream.h"

namespace openreg::driver {

void EventRecord::complete() noexcept {
  const std::lock_guard lock(mutex_);
  time_ = Clock::now();
  done_ = true;
  completed_.notify_all();
}

void EventRecord::wait() noexcept {
  std::unique_lock lock(mutex_);
  completed_.wait(lock, [this] { return done_; });
}

bool EventRecord::done(Clock::time_point* time) noexcept {
  const std::lock_guard lock(mutex_);
  if (done_ && time != nullptr) *time = time_;
  return done_;
}

std::shared_ptr<EventRecord> EventState::snapshot() noexcept {
  const std::lock_guard lock(mutex);
  return latest;
}

Status event_create(int device, bool enable_timing, Event* event) noexcept {
  Driver* driver = driver_or_null();
  if (driver == nullptr) return fail_not_ready("event_create");
  if (event == nullptr) return fail_null("event_create", "event");
  if (!driver->has_device(device)) return fail_device("event_create", device, driver->device_count());
  auto* created = new (std::nothrow) EventState(device, enable_timing);
  if (created == nullptr) return fail_host_memory("event_create");
  *event = created;
  return Status::success;
}

Status event_destroy(Event event) noexcept {
  if (forked()) return Status::success;
  if (event == nullptr) return fail_null("event_destroy", "event");
  delete event;
  return Status::success;
}

Status event_record(Event event, Stream stream) noexcept {
  if (driver_or_null() == nullptr) return fail_not_ready("event_record");
  if (event == nullptr) return fail_null("event_record", "event");
  if (stream == nullptr) return fail_null("event_record", "stream");
  if (event->device != stream->device) {
    return fail(Status::wrong_device, "event_record: the event is of device %d, the stream of device %d", event->device,
                stream->device);
  }
  try {
    auto record = std::make_shared<EventRecord>(stream);
    wait_for_room(*stream);
    // Queued under the event's lock: of two threads that record, the one later in the queue is the latest.
    const std::lock_guard lock(event->mutex);
    if (complete_if_idle(*stream, *record)) {
      event->latest = std::move(record);
      return Status::success;
    }
    const Status status = enqueue("event_record", *stream, Command::complete(record));
    if (status == Status::success) event->latest = std::move(record);
    return status;
  } catch (const std::bad_alloc&) {
    return fail_host_memory("event_record");
  }
}

Status event_query(Event event) noexcept {
  if (driver_or_null() == nullptr) return fail_not_ready("event_query");
  if (event == nullptr) return fail_null("event_query", "event");
  const std::shared_ptr<EventRecord> record = event->snapshot();
  return record == nullptr || record->done() ? Status::success : Status::not_ready;
}

Status event_synchronize(Event event) noexcept {
  if (driver_or_null() == nullptr) return fail_not_ready("event_synchronize");
  if (event == nullptr) return fail_null("event_synchronize", "event");
  const std::shared_ptr<EventRecord> record = event->snapshot();
  if (record == nullptr || record->done()) return Status::success;
  if (on_stream(const_cast<Stream>(record->stream()))) {
    return fail(Status::invalid_argument,
                "event_synchronize: the event's record is queued behind the calling task, which would wait for ever");
  }
  record->wait();
  return Status::success;
}

Status event_elapsed_ms(Event start, Event end, double* milliseconds) noexcept {
  if (driver_or_null() == nullptr) return fail_not_ready("event_elapsed_ms");
  if (start == nullptr) return fail_null("event_elapsed_ms", "start");
  if (end == nullptr) return fail_null("event_elapsed_ms", "end");
  if (milliseconds == nullptr) return fail_null("event_elapsed_ms", "milliseconds");
  if (start->device != end->device) {
    return fail(Status::wrong_device, "event_elapsed_ms: start is of device %d, end of device %d", start->device,
                end->device);
  }
  if (!start->timing || !end->timing) {
    return fail(Status::timing_disabled, "event_elapsed_ms: %s was created without timing",
                start->timing ? "end" : "start");
  }
  const std::shared_ptr<EventRecord> first = start->snapshot();
  const std::shared_ptr<EventRecord> last = end->snapshot();
  if (first == nullptr || last == nullptr) {
    return fail(Status::invalid_argument, "event_elapsed_ms: %s was never recorded",
                first == nullptr ? "start" : "end");
  }
  EventRecord::Clock::time_point first_time;
  EventRecord::Clock::time_point last_time;
  if (!first->done(&first_time) || !last->done(&last_time)) return Status::not_ready;
  *milliseconds = std::chrono::duration<double, std::milli>(last_time - first_time).count();
  return Status::success;
}

}  // namespace openreg::driver
