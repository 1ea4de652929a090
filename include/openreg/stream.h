#pragma once

#include <c10/core/Device.h>
#include <c10/core/Stream.h>

#include <functional>

// Streams of openreg: queues of work that run in order, each on a thread of its own that starts with the first task.
// c10's own classes work with them: c10::Stream, c10::StreamGuard, c10::Event.
//
//   auto stream = openreg::new_stream();
//   openreg::launch(stream, [x]() mutable {      // x is kept alive until the task is done
//     openreg::MutableHostView view(x);
//     ...
//   });
//   stream.synchronize();
//
// Operators run on the calling thread. Before one touches memory it waits for what is queued on the current stream of
// its device, so that a tensor is never seen half written. Between different streams, order is the program's affair:
// c10::Event, or synchronize. All functions may be called from any thread.
namespace openreg {

// The stream that is current on every thread until another is set. -1 is the current device. Throws c10::Error when the
// device does not exist, as all functions here do.
c10::Stream default_stream(c10::DeviceIndex device = -1);

// The calling thread's current stream of a device.
c10::Stream current_stream(c10::DeviceIndex device = -1);

// Makes a stream the calling thread's current one of its device, and returns the one before. The current device
// stays. Throws c10::Error when the stream is not one of openreg's.
c10::Stream set_current_stream(const c10::Stream& stream);

// Priorities: the lower number runs first when both want the processor.
inline constexpr int high_priority = -1;
inline constexpr int normal_priority = 0;
inline constexpr int low_priority = 1;

// A queue of its own, which lives until the process ends. The first 1024 of a device differ; then they come again, so
// that a program that takes one for each step does not run out of threads. Throws c10::Error when the priority is out
// of range.
c10::Stream new_stream(c10::DeviceIndex device = -1, int priority = normal_priority);

// One of 32 queues that all callers share, in turn: for work that may wait for that of others.
c10::Stream pool_stream(c10::DeviceIndex device = -1, bool high = false);

// The driver's handle behind a stream, and a stream for a handle that somebody else made on that device. Its owner
// keeps it until nothing uses the stream any more. Throws c10::Error when the handle is null or of another device.
void* native_handle(const c10::Stream& stream);
c10::Stream external_stream(void* handle, c10::DeviceIndex device);

// Queues a task and returns. In it the stream is the current one, its device the current device, and gradients are not
// recorded; operators called from it run at once. What the task holds is destroyed before it counts as done. An
// exception that leaves it reaches the next synchronize. A task must not wait for work queued behind it.
void launch(const c10::Stream& stream, std::function<void()> task);

}  // namespace openreg
