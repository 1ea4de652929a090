#include "device/guard.h"

#include <c10/core/Stream.h>
#include <c10/util/Exception.h>

#include "device/allocator.h"
#include "device/compat.h"
#include "device/driver/driver.h"
#include "device/driver_check.h"
#include "device/pinned_allocator.h"
#include "device/runtime.h"
#include "device/streams.h"

namespace openreg::device {
namespace {

void check_type(c10::Device device) {
  TORCH_CHECK(device.type() == kDeviceType, "Expected an ", kBackendName, " device, but got ", device, ".");
}

driver::Event event_of(void* event) { return static_cast<driver::Event>(event); }

// Methods that libtorch calls in destructors, or that some version declares noexcept, do not throw: a bad device or
// stream passes through them, and is refused where it is used.
class Guard final : public compat::GuardBase {
 public:
  c10::DeviceType type() const override { return kDeviceType; }

  c10::Device exchangeDevice(c10::Device device) const override {
    check_type(device);
    const auto previous = current_device();
    if (device.index() != previous) {
      set_current_device(device.index());
    }
    return {kDeviceType, previous};
  }

  c10::Device getDevice() const override { return {kDeviceType, current_device()}; }

  void setDevice(c10::Device device) const override {
    check_type(device);
    set_current_device(device.index());
  }

  void uncheckedSetDevice(c10::Device device) const noexcept override {
    static_cast<void>(driver::set_current_device(device.index()));
  }

  c10::DeviceIndex deviceCount() const noexcept override {
    try {
      return device_count();
    } catch (...) {
      return 0;  // the interface: report no device rather than throw
    }
  }

  compat::DeviceCapability getDeviceCapability(c10::Device device) const override {
    check_type(device);
    static_cast<void>(resolve_device(device));
    return {};  // every dtype
  }

  void synchronizeDevice(const c10::DeviceIndex index) const override { synchronize(index); }

  // ---- streams

  c10::Stream getStream(c10::Device device) const noexcept override { return current_stream(index_of(device)); }

  c10::Stream getDefaultStream(c10::Device device) const override {
    check_type(device);
    return c10::Stream(c10::Stream::DEFAULT, resolve_device(device));
  }

  c10::Stream getNewStream(c10::Device device, int priority = 0) const override {
    check_type(device);
    return make_stream(resolve_device(device).index(), priority);
  }

  c10::Stream getStreamFromGlobalPool(c10::Device device, bool high_priority = false) const override {
    check_type(device);
    return pool_stream(resolve_device(device).index(), high_priority);
  }

  c10::Stream exchangeStream(c10::Stream stream) const noexcept override { return exchange_current_stream(stream); }

  bool queryStream(const c10::Stream& stream) const override { return query_stream(stream); }
  void synchronizeStream(const c10::Stream& stream) const override { synchronize_stream(stream); }
  void* getStreamNativeHandle(const c10::Stream stream) const override { return stream_handle(stream); }
  bool isStreamCapturing(const c10::Stream&) const override { return false; }

  // Memory that is not openreg's has no allocator of openreg's to tell.
  void recordDataPtrOnStream(const c10::DataPtr& data, const c10::Stream& stream) const override {
    if (is_device_address(data.get())) {
      record_stream(data.get(), stream);
    } else {
      record_pinned_stream(data.get(), stream);
    }
  }

  // ---- events: a null event was never recorded, and nobody waits for it

  void record(void** event, const c10::Stream& stream, const c10::DeviceIndex device_index,
              const c10::EventFlag flag) const override {
    TORCH_CHECK(device_index == -1 || device_index == stream.device_index(), "Event device index ",
                static_cast<int>(device_index), " does not match recording stream's device index ",
                static_cast<int>(stream.device_index()), ".");
    TORCH_CHECK(flag == c10::EventFlag::PYTORCH_DEFAULT || flag == c10::EventFlag::BACKEND_DEFAULT, "Event flag ",
                static_cast<int>(flag),
                " is not allowed: use PYTORCH_DEFAULT, or BACKEND_DEFAULT for an event that "
                "records time.");
    auto* handle = stream_handle(stream);
    if (*event == nullptr) {
      driver::Event made = nullptr;
      check(driver::event_create(stream.device_index(), flag == c10::EventFlag::BACKEND_DEFAULT, &made));
      *event = made;
    }
    check(driver::event_record(event_of(*event), handle));
  }

  void block(void* event, const c10::Stream& stream) const override {
    if (event != nullptr) {
      check(driver::stream_wait_event(stream_handle(stream), event_of(event)));
    }
  }

  bool queryEvent(void* event) const override {
    if (event == nullptr) {
      return true;
    }
    const auto status = driver::event_query(event_of(event));
    if (status != driver::Status::not_ready) {
      check(status);
    }
    return status == driver::Status::success;
  }

  void synchronizeEvent(void* event) const override {
    if (event != nullptr) {
      check(driver::event_synchronize(event_of(event)));
    }
  }

  void destroyEvent(void* event, const c10::DeviceIndex) const noexcept override {
    if (event != nullptr) {
      static_cast<void>(driver::event_destroy(event_of(event)));
    }
  }

  double elapsedTime(void* start, void* end, const c10::DeviceIndex) const override {
    TORCH_CHECK_VALUE(start != nullptr && end != nullptr,
                      "Both events must be recorded before calculating elapsed time.");
    double milliseconds = 0;
    const auto status = driver::event_elapsed_ms(event_of(start), event_of(end), &milliseconds);
    TORCH_CHECK_VALUE(status != driver::Status::timing_disabled,
                      "Both events must be created with argument 'enable_timing=True'.");
    TORCH_CHECK(status != driver::Status::not_ready, "Both events must be completed before calculating elapsed time.");
    check(status);
    return milliseconds;
  }

 private:
  static c10::DeviceIndex index_of(c10::Device device) noexcept {
    int index = device.index();
    if (index < 0 && driver::current_device(&index) != driver::Status::success) {
      index = 0;
    }
    return static_cast<c10::DeviceIndex>(index);
  }
};

}  // namespace

const c10::impl::DeviceGuardImplInterface& guard() {
  static const auto* const instance = new Guard;
  return *instance;
}

}  // namespace openreg::device
