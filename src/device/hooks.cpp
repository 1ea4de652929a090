#include "device/hooks.h"

#include <c10/util/Exception.h>

#include "device/compat.h"
#include "device/driver/driver.h"
#include "device/driver_check.h"
#include "device/generator.h"
#include "device/pinned_allocator.h"
#include "device/runtime.h"
#include "device/storage.h"

namespace openreg::device {
namespace {

class Hooks final : public compat::HooksBase {
 public:
  void init() const override { ensure_initialized(); }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return is_initialized(); }

  bool isBuilt() const override { return true; }
  bool isAvailable() const override {
    try {
      return device::device_count() > 0;
    } catch (...) {
      return false;  // the interface: never throw
    }
  }

  c10::DeviceIndex deviceCount() const override { return device_count(); }
  c10::DeviceIndex getCurrentDevice() const override { return current_device(); }
  void setCurrentDevice(c10::DeviceIndex index) const override { set_current_device(index); }

  c10::DeviceIndex exchangeDevice(c10::DeviceIndex index) const override {
    const auto previous = current_device();
    set_current_device(index);
    return previous;
  }

  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex index) const override {
    return index < 0 ? current_device() : exchangeDevice(index);
  }

  c10::Device getDeviceFromPtr(void* data) const override {
    driver::PointerAttributes attributes;
    ensure_initialized();
    check(driver::pointer_attributes(data, &attributes));
    TORCH_CHECK(attributes.kind == driver::MemoryKind::device, "The address ", data, " is not in the memory of an ",
                kBackendName, " device: make the tensor on the CPU and move it with Tensor::to.");
    return {kDeviceType, static_cast<c10::DeviceIndex>(attributes.device)};
  }

  c10::Allocator* getPinnedMemoryAllocator() const override { return &pinned_allocator(); }
  bool isPinnedPtr(const void* data) const override { return is_pinned(data); }

  const at::Generator& getDefaultGenerator(c10::DeviceIndex index) const override { return default_generator(index); }
  at::Generator getNewGenerator(c10::DeviceIndex index = -1) const override { return make_generator(index); }

  void resizePrivateUse1Bytes(const c10::Storage& storage, std::size_t bytes) const override {
    resize_storage(*storage.unsafeGetStorageImpl(), bytes);
  }
};

}  // namespace

at::PrivateUse1HooksInterface& hooks() {
  static auto* const instance = new Hooks;
  return *instance;
}

}  // namespace openreg::device
