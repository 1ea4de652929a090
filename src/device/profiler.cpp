#include "device/profiler.h"

#include <c10/core/DeviceGuard.h>
#include <c10/util/Exception.h>
#include <torch/csrc/profiler/standalone/privateuse1_observer.h>
#include <torch/csrc/profiler/stubs/base.h>

#include <chrono>

#include "device/driver/driver.h"
#include "device/driver_check.h"
#include "device/runtime.h"
#include "device/streams.h"

namespace openreg::device {
namespace {

using torch::profiler::impl::ProfilerVoidEventStub;

void destroy(void* event) { static_cast<void>(driver::event_destroy(static_cast<driver::Event>(event))); }

// The profiler records an event before an operator and one after it, on the current stream of the current device: what
// lies between them is what the device did, whether on the calling thread or on the stream.
class Stubs final : public torch::profiler::impl::ProfilerStubs {
 public:
  void record(c10::DeviceIndex* device, ProfilerVoidEventStub* event, std::int64_t* host_ns) const override {
    const auto index = current_device();
    driver::Event made = nullptr;
    check(driver::event_create(index, true, &made));
    *event = ProfilerVoidEventStub(made, &destroy);
    check(driver::event_record(made, stream_handle(current_stream(index))));
    if (device != nullptr) *device = index;
    if (host_ns != nullptr) {
      const auto now = std::chrono::steady_clock::now().time_since_epoch();
      *host_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    }
  }

  float elapsed(const ProfilerVoidEventStub* start, const ProfilerVoidEventStub* end) const override {
    auto* const first = static_cast<driver::Event>(start->get());
    auto* const last = static_cast<driver::Event>(end->get());
    check(driver::event_synchronize(first));
    check(driver::event_synchronize(last));
    double milliseconds = 0;
    check(driver::event_elapsed_ms(first, last, &milliseconds));
    return static_cast<float>(milliseconds * 1000);
  }

  bool enabled() const override { return true; }

  void onEachDevice(std::function<void(int)> action) const override {
    for (c10::DeviceIndex i = 0; i < device_count(); ++i) {
      const c10::DeviceGuard guard(c10::Device(kDeviceType, i));
      action(i);
    }
  }

  void synchronize() const override {
    for (c10::DeviceIndex i = 0; i < device_count(); ++i) {
      device::synchronize(i);
    }
  }

  // For tools of a vendor that watch the process; openreg has none.
  void mark(const char*) const override {}
  void rangePush(const char*) const override {}
  void rangePop() const override {}
};

// Without an observer libtorch would call a null pointer.
void refuse_markers(const torch::profiler::impl::ProfilerConfig&, const std::unordered_set<at::RecordScope>&) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, kBackendName,
                              " has no tool to send markers to (ProfilerState::PRIVATEUSE1). Use "
                              "ProfilerState::KINETO_PRIVATEUSE1_FALLBACK, which measures time on the device.");
}

}  // namespace

void register_profiler() {
  torch::profiler::impl::registerPrivateUse1Methods(new Stubs);
  torch::profiler::impl::pushPRIVATEUSE1CallbacksStub.set_privateuse1_dispatch_ptr(&refuse_markers);
}

}  // namespace openreg::device
