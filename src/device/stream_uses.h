#pragma once

#include <c10/core/Stream.h>
#include <c10/util/SmallVector.h>

#include <memory>

#include "device/driver/driver.h"

namespace openreg::device {

// Note [Freed while in use]
// Work that is queued on a stream may use a block that its owner has freed. Such a block is handed out again only when
// everything is done that was queued, at the time of the free, on the stream that the block was allocated on and on
// those that it was recorded on: the free leaves a fence in each stream that is busy, and the block waits for them.
// When nothing is queued anywhere, which one atomic load tells, no fence is made.
//
// A block freed by a task does not wait for the task's own stream: the task is its last user there.

// A point in a stream's queue.
class Fence {
 public:
  explicit Fence(driver::Event event) noexcept : event_(event) {}
  ~Fence() { static_cast<void>(driver::event_destroy(event_)); }
  Fence(const Fence&) = delete;
  Fence& operator=(const Fence&) = delete;

  bool done() const noexcept { return driver::event_query(event_) != driver::Status::not_ready; }
  // Returns at once in a task that stands before the fence.
  void wait() const noexcept { static_cast<void>(driver::event_synchronize(event_)); }

 private:
  driver::Event event_;
};

using Fences = c10::SmallVector<std::shared_ptr<Fence>, 1>;
using StreamUses = c10::SmallVector<c10::Stream, 2>;

// A fence in each of the streams that is busy. Where the host has no memory for one, it waits instead.
Fences fences_in(const StreamUses& streams) noexcept;

bool all_done(const Fences& fences) noexcept;

// Adds a stream unless it is there.
void add_use(StreamUses& uses, const c10::Stream& stream);

}  // namespace openreg::device
