#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/Device.h>

namespace openreg::fallback {

// Note [CPU allocations from device blocks]
// While a CPU kernel runs for a device, the calling thread's CPU allocations are device blocks, seen at their host
// addresses: a result becomes a device tensor by changing its label, with no copy. A proxy in front of the CPU
// allocator does it. It is installed at first use with the lowest priority, so that a program's own CPU allocator
// still replaces it; then results are copied instead. When the device is full the proxy hands the request on, and
// only adopting such a result raises OutOfMemoryError. The proxy is leaked: its blocks outlive everything.
class AdoptionScope {
 public:
  // Device `index` receives what the calling thread allocates; -1 turns it off. Scopes nest.
  explicit AdoptionScope(c10::DeviceIndex index) noexcept;
  ~AdoptionScope();
  AdoptionScope(const AdoptionScope&) = delete;
  AdoptionScope& operator=(const AdoptionScope&) = delete;

 private:
  c10::DeviceIndex previous_;
};

// Puts the proxy in place.
void install_host_allocator();

// True when `data` is a device block that came through the proxy and nothing wraps it.
bool is_adoptable(const c10::DataPtr& data) noexcept;

}  // namespace openreg::fallback
