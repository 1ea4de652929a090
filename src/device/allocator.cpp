#include "device/allocator.h"

#include <c10/util/Exception.h>

#include "device/block_cache.h"
#include "device/driver/driver.h"
#include "device/driver_check.h"
#include "device/runtime.h"

namespace openreg::device {
namespace {

class DeviceAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override { return device::allocate(bytes, current_device()); }

  c10::DeleterFnPtr raw_deleter() const override { return &delete_block; }

  void copy_data(void* destination, const void* source, std::size_t bytes) const override {
    check(driver::copy(destination, source, bytes, driver::CopyKind::device_to_device));
  }
};

}  // namespace

c10::Allocator& allocator() {
  static auto* const instance = new DeviceAllocator;
  return *instance;
}

c10::DataPtr allocate(std::size_t bytes, c10::DeviceIndex device) {
  const c10::Device target(kDeviceType, device);
  if (bytes == 0) {
    return {nullptr, nullptr, &delete_block, target};
  }
  void* address = block_cache(device).allocate(bytes);
  return {address, address, &delete_block, target};
}

void delete_block(void* address) {
  // In a forked child the pages are a copy that dies with it, and the cache's lock may be held by a thread that
  // no longer exists.
  if (address == nullptr || !is_initialized()) {
    return;
  }
  void* block = is_device_address(address) ? address : to_device(address);
  block_cache(device_of(block)).free(block);
}

}  // namespace openreg::device

namespace openreg {

MemoryStatistics memory_statistics(c10::DeviceIndex device) {
  return device::block_cache(device::resolve_device({device::kDeviceType, device}).index()).statistics();
}

void reset_peak_memory(c10::DeviceIndex device) {
  device::block_cache(device::resolve_device({device::kDeviceType, device}).index()).reset_peaks();
}

void empty_cache() {
  for (c10::DeviceIndex i = 0; i < device::device_count(); ++i) {
    device::block_cache(i).release_unused();
  }
}

}  // namespace openreg
