#include "device/driver/stream.h"

#include <algorithm>
#include <new>
#include <stdexcept>

#include "device/driver/copy.h"
#include "device/driver/error.h"
#include "device/driver/state.h"

namespace openreg::driver {
namespace {

Status fail_tasks(const char* function, const TaskFailures& failures) {
  if (failures.count() == 0) return Status::success;
  return fail(Status::task_failed, "%s: %zu task(s) threw: %s", function, failures.count(), failures.texts().c_str());
}

// Keeps the state alive: its owner may destroy the stream meanwhile.
struct PendingStream {
  std::shared_ptr<StreamState> stream;
  std::uint64_t submitted = 0;
};

std::vector<PendingStream> pending_streams(DeviceState& state) {
  std::vector<PendingStream> pending;
  const std::lock_guard lock(state.streams_mutex);
  pending.reserve(state.streams.size());
  for (const std::shared_ptr<StreamState>& stream : state.streams) {
    if (on_stream(stream.get())) continue;  // the caller is the work
    const std::lock_guard stream_lock(stream->mutex);
    pending.push_back({stream, stream->submitted});
  }
  return pending;
}

}  // namespace

Status stream_create(int device, int priority, Stream* stream) noexcept {
  Driver* driver = driver_or_null();
  if (driver == nullptr) return fail_not_ready("stream_create");
  if (stream == nullptr) return fail_null("stream_create", "stream");
  if (!driver->has_device(device)) return fail_device("stream_create", device, driver->device_count());
  if (priority < greatest_priority || priority > least_priority) {
    return fail(Status::invalid_argument, "stream_create: priority %d is out of range; it must be in [%d, %d]",
                priority, greatest_priority, least_priority);
  }
  try {
    auto created = std::make_shared<StreamState>(device, priority);
    DeviceState& state = driver->device(device);
    const std::lock_guard lock(state.streams_mutex);
    state.streams.push_back(created);
    *stream = created.get();
    return Status::success;
  } catch (const std::bad_alloc&) {
    return fail_host_memory("stream_create");
  }
}

Status stream_destroy(Stream stream) noexcept {
  if (forked()) return Status::success;
  Driver* driver = driver_or_null();
  if (driver == nullptr) return fail_not_ready("stream_destroy");
  if (stream == nullptr) return fail_null("stream_destroy", "stream");
  if (on_stream(stream)) {
    return fail(Status::invalid_argument, "stream_destroy: a task cannot destroy the stream that runs it");
  }
  stop_worker(*stream);
  // Only now: until its last task is done the stream is a stream of its device.
  DeviceState& state = driver->device(stream->device);
  const std::lock_guard lock(state.streams_mutex);
  const auto found = std::find_if(state.streams.begin(), state.streams.end(),
                                  [&](const std::shared_ptr<StreamState>& one) { return one.get() == stream; });
  if (found == state.streams.end()) return Status::success;
  {
    const std::lock_guard stream_lock(stream->mutex);
    state.orphaned_failures.take(stream->failures);
  }
  std::swap(*found, state.streams.back());
  state.streams.pop_back();
  return Status::success;
}

Status stream_device(Stream stream, int* device) noexcept {
  if (driver_or_null() == nullptr) return fail_not_ready("stream_device");
  if (stream == nullptr) return fail_null("stream_device", "stream");
  if (device == nullptr) return fail_null("stream_device", "device");
  *device = stream->device;
  return Status::success;
}

Status stream_priority(Stream stream, int* priority) noexcept {
  if (driver_or_null() == nullptr) return fail_not_ready("stream_priority");
  if (stream == nullptr) return fail_null("stream_priority", "stream");
  if (priority == nullptr) return fail_null("stream_priority", "priority");
  *priority = stream->priority;
  return Status::success;
}

Status stream_query(Stream stream) noexcept {
  if (driver_or_null() == nullptr) return fail_not_ready("stream_query");
  if (stream == nullptr) return fail_null("stream_query", "stream");
  const std::lock_guard lock(stream->mutex);
  return stream->completed == stream->submitted ? Status::success : Status::not_ready;
}

Status stream_synchronize(Stream stream) noexcept {
  if (driver_or_null() == nullptr) return fail_not_ready("stream_synchronize");
  if (stream == nullptr) return fail_null("stream_synchronize", "stream");
  if (on_stream(stream)) return Status::success;
  TaskFailures failures;
  {
    std::unique_lock lock(stream->mutex);
    const std::uint64_t submitted = stream->submitted;
    wait_until_completed(*stream, submitted, lock);
    failures.take(stream->failures);
  }
  return fail_tasks("stream_synchronize", failures);
}

Status device_synchronize(int device) noexcept {
  Driver* driver = driver_or_null();
  if (driver == nullptr) return fail_not_ready("device_synchronize");
  if (!driver->has_device(device)) return fail_device("device_synchronize", device, driver->device_count());
  DeviceState& state = driver->device(device);
  TaskFailures failures;
  try {
    for (const PendingStream& pending : pending_streams(state)) {
      std::unique_lock lock(pending.stream->mutex);
      wait_until_completed(*pending.stream, pending.submitted, lock);
      failures.take(pending.stream->failures);
    }
  } catch (const std::bad_alloc&) {
    return fail_host_memory("device_synchronize");
  }
  {
    const std::lock_guard lock(state.streams_mutex);
    failures.take(state.orphaned_failures);
  }
  return fail_tasks("device_synchronize", failures);
}

Status stream_wait_event(Stream stream, Event event) noexcept {
  if (driver_or_null() == nullptr) return fail_not_ready("stream_wait_event");
  if (stream == nullptr) return fail_null("stream_wait_event", "stream");
  if (event == nullptr) return fail_null("stream_wait_event", "event");
  std::shared_ptr<EventRecord> record = event->snapshot();
  if (record == nullptr || record->done()) return Status::success;
  wait_for_room(*stream);
  return enqueue("stream_wait_event", *stream, Command::wait(std::move(record)));
}

Status launch(Stream stream, std::function<void()> task) noexcept {
  if (driver_or_null() == nullptr) return fail_not_ready("launch");
  if (stream == nullptr) return fail_null("launch", "stream");
  if (task == nullptr) return fail_null("launch", "task");
  wait_for_room(*stream);
  return enqueue("launch", *stream, Command::run(std::move(task)));
}

Status copy_async(void* destination, const void* source, std::size_t bytes, CopyKind kind, Stream stream) noexcept {
  if (driver_or_null() == nullptr) return fail_not_ready("copy_async");
  if (stream == nullptr) return fail_null("copy_async", "stream");
  ResolvedCopy resolved;
  const Status status = resolve_copy("copy_async", destination, source, bytes, kind, &resolved);
  if (status != Status::success || bytes == 0) return status;
  try {
    return launch(stream, [=] {
      // Checked again: a block that was freed too early is an error of this task, not a fault.
      if (copy(destination, source, bytes, kind) != Status::success) throw std::runtime_error(last_error());
    });
  } catch (const std::bad_alloc&) {
    return fail_host_memory("copy_async");
  }
}

}  // namespace openreg::driver
