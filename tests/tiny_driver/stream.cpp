#include <algorithm>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "device/driver/error.h"
#include "device/driver/task_failures.h"
#include "tiny.h"

namespace openreg::driver {

// Work is done when launch() returns: a stream has no queue, and whoever waits for one has nothing to wait for.
struct StreamState {
  int priority = 0;
  TaskFailures failures;
};

struct EventState {
  bool timing = false;
  bool recorded = false;
  std::chrono::steady_clock::time_point time;
};

namespace {

std::mutex mutex;  // guards all below, and the states
std::vector<Stream> streams;
TaskFailures orphaned;
thread_local Stream running = nullptr;

Status report(const char* function, const TaskFailures& failures) {
  if (failures.count() == 0) return Status::success;
  return fail(Status::task_failed, "%s: %zu task(s) threw: %s", function, failures.count(), failures.texts().c_str());
}

}  // namespace

Status stream_create(int device, int priority, Stream* stream) noexcept {
  if (const Status status = tiny::check_device("stream_create", device); status != Status::success) return status;
  if (stream == nullptr) return fail_null("stream_create", "stream");
  if (priority != 0) return fail(Status::invalid_argument, "stream_create: priority %d, there is only 0", priority);
  *stream = new StreamState;
  const std::lock_guard lock(mutex);
  streams.push_back(*stream);
  return Status::success;
}

Status stream_destroy(Stream stream) noexcept {
  if (stream == nullptr) return fail_null("stream_destroy", "stream");
  const std::lock_guard lock(mutex);
  orphaned.take(stream->failures);
  streams.erase(std::remove(streams.begin(), streams.end(), stream), streams.end());
  delete stream;
  return Status::success;
}

Status stream_device(Stream stream, int* device) noexcept {
  if (stream == nullptr || device == nullptr) return fail_null("stream_device", "an argument");
  *device = 0;
  return Status::success;
}

Status stream_priority(Stream stream, int* priority) noexcept {
  if (stream == nullptr || priority == nullptr) return fail_null("stream_priority", "an argument");
  *priority = stream->priority;
  return Status::success;
}

Status stream_query(Stream stream) noexcept {
  return stream == nullptr ? fail_null("stream_query", "stream") : Status::success;
}

Status stream_synchronize(Stream stream) noexcept {
  if (stream == nullptr) return fail_null("stream_synchronize", "stream");
  TaskFailures failures;
  {
    const std::lock_guard lock(mutex);
    failures.take(stream->failures);
  }
  return report("stream_synchronize", failures);
}

Status device_synchronize(int device) noexcept {
  if (const Status status = tiny::check_device("device_synchronize", device); status != Status::success) return status;
  TaskFailures failures;
  {
    const std::lock_guard lock(mutex);
    for (Stream stream : streams) failures.take(stream->failures);
    failures.take(orphaned);
  }
  return report("device_synchronize", failures);
}

Status stream_wait_event(Stream stream, Event event) noexcept {
  return stream == nullptr || event == nullptr ? fail_null("stream_wait_event", "an argument") : Status::success;
}

Status launch(Stream stream, std::function<void()> task) noexcept {
  if (stream == nullptr || task == nullptr) return fail_null("launch", "an argument");
  const Stream outer = std::exchange(running, stream);
  TaskFailures failures;
  try {
    task();
  } catch (const std::exception& error) {
    failures.add(error.what());
  } catch (...) {
    failures.add("an exception that is no std::exception");
  }
  running = outer;
  const std::lock_guard lock(mutex);
  stream->failures.take(failures);
  return Status::success;
}

Status copy_async(void* destination, const void* source, std::size_t bytes, CopyKind kind, Stream stream) noexcept {
  return stream == nullptr ? fail_null("copy_async", "stream") : copy(destination, source, bytes, kind);
}

bool on_stream(Stream stream) noexcept { return stream != nullptr && running == stream; }

bool any_work_pending() noexcept { return false; }

Status event_create(int device, bool enable_timing, Event* event) noexcept {
  if (const Status status = tiny::check_device("event_create", device); status != Status::success) return status;
  if (event == nullptr) return fail_null("event_create", "event");
  *event = new EventState{enable_timing, false, {}};
  return Status::success;
}

Status event_destroy(Event event) noexcept {
  if (event == nullptr) return fail_null("event_destroy", "event");
  delete event;
  return Status::success;
}

Status event_record(Event event, Stream stream) noexcept {
  if (event == nullptr || stream == nullptr) return fail_null("event_record", "an argument");
  const std::lock_guard lock(mutex);
  event->recorded = true;
  event->time = std::chrono::steady_clock::now();
  return Status::success;
}

Status event_query(Event event) noexcept {
  return event == nullptr ? fail_null("event_query", "event") : Status::success;
}

Status event_synchronize(Event event) noexcept {
  return event == nullptr ? fail_null("event_synchronize", "event") : Status::success;
}

Status event_elapsed_ms(Event start, Event end, double* milliseconds) noexcept {
  if (start == nullptr || end == nullptr || milliseconds == nullptr) {
    return fail_null("event_elapsed_ms", "an argument");
  }
  const std::lock_guard lock(mutex);
  if (!start->timing || !end->timing) {
    return fail(Status::timing_disabled, "event_elapsed_ms: an event was created without timing");
  }
  if (!start->recorded || !end->recorded) {
    return fail(Status::invalid_argument, "event_elapsed_ms: an event was never recorded");
  }
  *milliseconds = std::chrono::duration<double, std::milli>(end->time - start->time).count();
  return Status::success;
}

}  // namespace openreg::driver
