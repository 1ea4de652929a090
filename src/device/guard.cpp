#include "device/guard.h"

#include <c10/core/Stream.h>
#include <c10/util/Exception.h>

#include "device/driver/driver.h"
#include "device/runtime.h"

namespace openreg::device {
namespace {

void check_type(c10::Device device) {
  TORCH_CHECK(device.type() == kDeviceType, "Expected an ", kBackendName, " device, but got ", device, ".");
}

class Guard final : public c10::impl::DeviceGuardImplInterface {
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

  // Runs in destructors: an index that was never valid is ignored.
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

  c10::Stream getStream(c10::Device device) const noexcept override { return default_stream(device); }
  c10::Stream getDefaultStream(c10::Device device) const override { return default_stream(device); }
  c10::Stream exchangeStream(c10::Stream stream) const noexcept override { return default_stream(stream.device()); }

  bool queryStream(const c10::Stream&) const override { return true; }
  void synchronizeStream(const c10::Stream& stream) const override { synchronize(stream.device_index()); }
  void synchronizeDevice(const c10::DeviceIndex index) const override { synchronize(index); }

 private:
  static c10::Stream default_stream(c10::Device device) noexcept {
    int index = device.index();
    if (index < 0 && driver::current_device(&index) != driver::Status::success) {
      index = 0;
    }
    return c10::Stream(c10::Stream::DEFAULT, c10::Device(kDeviceType, static_cast<c10::DeviceIndex>(index)));
  }
};

}  // namespace

const c10::impl::DeviceGuardImplInterface& guard() {
  static const auto* const instance = new Guard;
  return *instance;
}

}  // namespace openreg::device
