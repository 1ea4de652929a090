#include "fallback/host_allocator.h"

#include <c10/core/CPUAllocator.h>

#include <atomic>

#include "device/allocator.h"
#include "device/block_cache.h"
#include "device/runtime.h"
#include "fallback/host_session.h"

namespace openreg::fallback {
namespace {

constinit thread_local c10::DeviceIndex adopting_device = -1;
constinit std::atomic<c10::DeleterFnPtr> previous_deleter{nullptr};

void delete_either(void* address) {
  if (device::is_backing_address(address)) {
    device::delete_block(address);
  } else {
    previous_deleter.load(std::memory_order_relaxed)(address);
  }
}

class HostAllocator final : public c10::Allocator {
 public:
  explicit HostAllocator(c10::Allocator* previous) : previous_(previous) {}

  c10::DataPtr allocate(std::size_t bytes) override {
    if (adopting_device >= 0 && bytes > 0) {
      if (void* block = device::block_cache(adopting_device).try_allocate(bytes)) {
        void* address = device::to_host(block);
        return {address, address, &delete_either, c10::Device(c10::DeviceType::CPU)};
      }
    }
    auto data = previous_->allocate(bytes);
    static_cast<void>(data.compare_exchange_deleter(previous_->raw_deleter(), &delete_either));
    return data;
  }

  c10::DeleterFnPtr raw_deleter() const override { return &delete_either; }

  void copy_data(void* destination, const void* source, std::size_t bytes) const override {
    default_copy_data(destination, source, bytes);
  }

 private:
  c10::Allocator* previous_;
};

std::atomic<HostAllocator*> proxy{nullptr};

}  // namespace

void install_host_allocator() {
  auto* previous = c10::GetCPUAllocator();
  if (previous->raw_deleter() == nullptr || proxy.load() != nullptr) {
    return;  // the program's own allocator cannot be wrapped: results are copied
  }
  previous_deleter.store(previous->raw_deleter());
  auto* made = new HostAllocator(previous);
  proxy.store(made);
  c10::SetCPUAllocator(made, 0);
}

AdoptionScope::AdoptionScope(c10::DeviceIndex index) noexcept : previous_(adopting_device) {
  // A user may have set an allocator of its own since: then nothing is adopted. And a CPU kernel cannot write to blocks
  // that it reaches through copies only.
  const bool in_place = index >= 0 && c10::GetCPUAllocator() == proxy.load(std::memory_order_relaxed) &&
                        host_access() == HostAccess::mapped;
  adopting_device = in_place ? index : c10::DeviceIndex{-1};
}

AdoptionScope::~AdoptionScope() { adopting_device = previous_; }

bool is_adoptable(const c10::DataPtr& data) noexcept {
  return data.get_deleter() == &delete_either && data.get() == data.get_context() &&
         device::is_backing_address(data.get());
}

}  // namespace openreg::fallback
