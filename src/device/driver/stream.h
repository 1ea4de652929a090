#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "device/driver/driver.h"
#include "device/driver/event.h"
#include "device/driver/task_failures.h"

namespace openreg::driver {

inline constexpr int least_priority = 1;
inline constexpr int greatest_priority = -1;
inline constexpr std::size_t max_queued_commands = 65536;

// What a stream's queue holds: a task to run, a record to complete, or a record to wait for.
struct Command {
  enum class Kind { run, complete, wait };

  Kind kind = Kind::run;
  std::function<void()> task;
  std::shared_ptr<EventRecord> record;

  static Command run(std::function<void()> task) { return {Kind::run, std::move(task), nullptr}; }
  static Command complete(std::shared_ptr<EventRecord> record) { return {Kind::complete, nullptr, std::move(record)}; }
  static Command wait(std::shared_ptr<EventRecord> record) { return {Kind::wait, nullptr, std::move(record)}; }
};

struct StreamState {
  StreamState(int its_device, int its_priority) : device(its_device), priority(its_priority) {}

  const int device;
  const int priority;

  std::mutex mutex;  // guards all below; taken before a record's mutex
  std::condition_variable work_ready;
  std::condition_variable progress;  // a command is done
  std::deque<Command> queue;
  std::uint64_t submitted = 0;
  std::uint64_t completed = 0;
  int waiting = 0;    // threads that wait for progress
  bool idle = false;  // the worker waits for work
  bool stopping = false;
  TaskFailures failures;
  std::thread worker;  // starts with the first command
};

// Queues a command; starts the worker when there is none. `function` is who asks, for last_error().
Status enqueue(const char* function, StreamState& stream, Command command) noexcept;

// Completes a record at once when nothing is queued or runs: its time is that of the call, not of the worker's waking.
bool complete_if_idle(StreamState& stream, EventRecord& record) noexcept;

// Blocks while the queue is full, except in a task: a worker that waits here could be the one that makes room.
void wait_for_room(StreamState& stream) noexcept;

// Blocks until as many commands are done. `lock` is the stream's.
void wait_until_completed(StreamState& stream, std::uint64_t count, std::unique_lock<std::mutex>& lock) noexcept;

// Lets the worker finish what is queued and ends it.
void stop_worker(StreamState& stream) noexcept;

// A child process after fork has no workers, and so no work.
void forget_pending_work() noexcept;

}  // namespace openreg::driver
