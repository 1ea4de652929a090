#pragma once

#include <c10/core/Stream.h>
#include <c10/macros/Macros.h>

#include <functional>

#include "device/driver/driver.h"

namespace openreg::device {

// Note [Stream ids]
// c10 knows a stream by its device and a number. 0 is the default stream, as c10::Stream::DEFAULT has it. Odd numbers
// are ours: above bit 0 two bits tell the kind (pool, pool of high priority, made by new_stream), the rest counts.
// Other numbers are addresses of driver streams that somebody else made and told us of.

// The driver's stream behind a stream, made now if nothing was ever queued on it. Throws c10::Error when the stream is
// not one of ours.
driver::Stream stream_handle(const c10::Stream& stream);

// The same, but null when it was never needed: nothing is queued there.
driver::Stream existing_stream_handle(const c10::Stream& stream);

// The calling thread's current stream of a device. For an index that does not exist that device's default stream,
// which every use refuses: the caller may be a destructor.
c10::Stream current_stream(c10::DeviceIndex device) noexcept;
c10::Stream exchange_current_stream(const c10::Stream& stream) noexcept;

c10::Stream make_stream(c10::DeviceIndex device, int priority);
c10::Stream pool_stream(c10::DeviceIndex device, bool high);
c10::Stream external_stream(void* handle, c10::DeviceIndex device);

bool query_stream(const c10::Stream& stream);
void synchronize_stream(const c10::Stream& stream);

// Waits for what is queued on the current stream of a device. On that stream's own worker it does not: the caller is
// the work.
void wait_for_current_stream(c10::DeviceIndex device);

// What every operator does before it touches memory of the device: one atomic load when nothing is queued anywhere.
inline void order_with_current_stream(c10::DeviceIndex device) {
  if (C10_UNLIKELY(driver::any_work_pending())) {
    wait_for_current_stream(device);
  }
}

// What OPENREG_ASYNC says: kernels that can be put on the stream are.
bool runs_asynchronously();

// Queues a task. In it the stream is current and gradients are off. On the stream's own worker it runs at once, as
// what the calling task does next may need its result.
void launch_in_order(const c10::Stream& stream, std::function<void()> task);

}  // namespace openreg::device
