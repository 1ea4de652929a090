#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <system_error>

#include "device/driver/error.h"
#include "device/driver/state.h"
#include "device/driver/stream.h"

namespace openreg::driver {
namespace {

// Commands queued or running, of all streams. Decremented with release, read with acquire: who reads 0 sees what the
// finished tasks wrote.
constinit std::atomic<std::int64_t> pending_commands{0};

constinit thread_local const StreamState* running_stream = nullptr;

// Priorities are the system's: a worker of a lower stream yields the processor to one of a higher stream when both
// want it. The system may refuse the step up; the step down always works.
void apply_priority(int priority) {
  const int nice = priority > 0 ? 10 : priority < 0 ? -5 : 0;
  if (nice != 0) setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nice);
}

void run_task(const StreamState& stream, Command& command, TaskFailures& failures) noexcept {
  set_thread_device(stream.device);
  try {
    command.task();
  } catch (const std::exception& error) {
    failures.add(error.what());
  } catch (...) {
    failures.add("an exception that is no std::exception");
  }
  command.task = nullptr;  // what it holds goes before it counts as done
}

// Under the stream's lock all at once: who sees the record done finds the stream idle, and the other way round.
void finish(StreamState& stream, Command& command, TaskFailures& failures) noexcept {
  stream.failures.take(failures);
  ++stream.completed;
  pending_commands.fetch_sub(1, std::memory_order_release);
  if (command.kind == Command::Kind::complete) command.record->complete();
  if (stream.waiting > 0) stream.progress.notify_all();
}

void work(StreamState* stream) noexcept {
  running_stream = stream;
  char name[16];
  std::snprintf(name, sizeof(name), "openreg:%d", stream->device);
  pthread_setname_np(pthread_self(), name);
  apply_priority(stream->priority);

  std::unique_lock lock(stream->mutex);
  while (true) {
    while (stream->queue.empty()) {
      if (stream->stopping) return;
      stream->idle = true;
      stream->work_ready.wait(lock);
    }
    stream->idle = false;
    Command command = std::move(stream->queue.front());
    stream->queue.pop_front();
    lock.unlock();
    TaskFailures failures;
    if (command.kind == Command::Kind::run) run_task(*stream, command, failures);
    if (command.kind == Command::Kind::wait) command.record->wait();
    lock.lock();
    finish(*stream, command, failures);
  }
}

// The process's signals are for the threads that the program knows of; faults stay where they happen.
class BlockSignals {
 public:
  BlockSignals() {
    sigset_t signals;
    sigfillset(&signals);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS}) sigdelset(&signals, fault);
    pthread_sigmask(SIG_SETMASK, &signals, &before_);
  }
  ~BlockSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockSignals(const BlockSignals&) = delete;
  BlockSignals& operator=(const BlockSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

Status enqueue(const char* function, StreamState& stream, Command command) noexcept {
  try {
    const std::lock_guard lock(stream.mutex);
    if (!stream.worker.joinable()) {
      const BlockSignals block;
      stream.worker = std::thread(work, &stream);
    }
    stream.queue.push_back(std::move(command));
    ++stream.submitted;
    pending_commands.fetch_add(1, std::memory_order_relaxed);
    // Notified with the lock held: as soon as the task is done, its stream may be destroyed by another thread.
    if (stream.idle) {
      stream.idle = false;
      stream.work_ready.notify_one();
    }
    return Status::success;
  } catch (const std::system_error& error) {
    return fail(Status::reservation_failed, "%s: the operating system refused a thread for the stream: %s", function,
                error.what());
  } catch (const std::bad_alloc&) {
    return fail_host_memory(function);
  }
}

bool complete_if_idle(StreamState& stream, EventRecord& record) noexcept {
  const std::lock_guard lock(stream.mutex);
  if (stream.completed != stream.submitted) return false;
  record.complete();
  return true;
}

void wait_for_room(StreamState& stream) noexcept {
  if (running_stream != nullptr) return;
  std::unique_lock lock(stream.mutex);
  ++stream.waiting;
  stream.progress.wait(lock, [&] { return stream.queue.size() < max_queued_commands; });
  --stream.waiting;
}

void wait_until_completed(StreamState& stream, std::uint64_t count, std::unique_lock<std::mutex>& lock) noexcept {
  ++stream.waiting;
  stream.progress.wait(lock, [&] { return stream.completed >= count; });
  --stream.waiting;
}

void stop_worker(StreamState& stream) noexcept {
  {
    const std::lock_guard lock(stream.mutex);
    stream.stopping = true;
    stream.work_ready.notify_one();
  }
  if (stream.worker.joinable()) stream.worker.join();
}

bool on_stream(Stream stream) noexcept { return stream != nullptr && running_stream == stream; }

bool any_work_pending() noexcept { return pending_commands.load(std::memory_order_acquire) > 0; }

void forget_pending_work() noexcept { pending_commands.store(0); }

}  // namespace openreg::driver
