#include "device/allocator.h"

#include <c10/util/Exception.h>

#include <array>
#include <mutex>

#include "device/block_cache.h"
#include "device/compat.h"
#include "device/driver/driver.h"
#include "device/driver_check.h"
#include "device/runtime.h"
#include "device/streams.h"
#include "openreg/memory.h"

namespace openreg::device {
namespace {

using c10::CachingDeviceAllocator::DeviceStats;

constexpr auto kAggregate = static_cast<std::size_t>(c10::CachingDeviceAllocator::StatType::AGGREGATE);

// What was counted when the accumulated statistics were reset.
struct Baselines {
  std::mutex mutex;
  std::array<MemoryCounts, driver::max_device_count> counts;
};

// Leaked: see allocator().
Baselines& baselines() {
  static auto* const instance = new Baselines;
  return *instance;
}

std::size_t checked(c10::DeviceIndex device) {
  return static_cast<std::size_t>(resolve_device({kDeviceType, device}).index());
}

DeviceStats device_stats(const MemoryCounts& now, const MemoryCounts& base) {
  DeviceStats stats;
  fill_stat(stats.allocation[kAggregate], now.blocks, base.blocks);
  fill_stat(stats.segment[kAggregate], now.spans, base.spans);
  fill_stat(stats.allocated_bytes[kAggregate], now.allocated, base.allocated);
  fill_stat(stats.reserved_bytes[kAggregate], now.reserved, base.reserved);
  // Active is what is live or waits for a stream.
  fill_stat(stats.active_bytes[kAggregate], now.allocated, base.allocated);
  stats.active_bytes[kAggregate].current += static_cast<std::int64_t>(now.waiting.current);
  stats.num_alloc_retries = static_cast<std::int64_t>(now.retries - base.retries);
  stats.num_ooms = static_cast<std::int64_t>(now.out_of_memory - base.out_of_memory);
  stats.num_device_alloc = static_cast<std::int64_t>(now.spans.added - base.spans.added);
  stats.num_device_free = stats.segment[kAggregate].freed;
  return stats;
}

class DeviceAllocator final : public compat::DeviceAllocatorBase {
 public:
  c10::DataPtr allocate(std::size_t bytes) override { return device::allocate(bytes, current_device()); }

  c10::DeleterFnPtr raw_deleter() const override { return &delete_block; }

  void copy_data(void* destination, const void* source, std::size_t bytes) const override {
    order_with_current_stream(device_of(source));
    order_with_current_stream(device_of(destination));
    check(driver::copy(destination, source, bytes, driver::CopyKind::device_to_device));
  }

  bool initialized() override { return is_initialized(); }

  void emptyCache(compat::PoolId pool = {0, 0}) override {
    TORCH_CHECK_NOT_IMPLEMENTED((pool == compat::PoolId{0, 0}), kBackendName,
                                " has one pool of memory a device: empty it with the default pool id.");
    empty_cache();
  }

  void recordStream(const c10::DataPtr& data, c10::Stream stream) override { record_stream(data.get(), stream); }

  DeviceStats getDeviceStats(c10::DeviceIndex device) override {
    const auto index = checked(device);
    const std::lock_guard lock(baselines().mutex);
    return device_stats(block_cache(static_cast<c10::DeviceIndex>(index)).counts(), baselines().counts[index]);
  }

  void resetAccumulatedStats(c10::DeviceIndex device) override {
    const auto index = checked(device);
    const std::lock_guard lock(baselines().mutex);
    baselines().counts[index] = block_cache(static_cast<c10::DeviceIndex>(index)).counts();
  }

  void resetPeakStats(c10::DeviceIndex device) override { reset_peak_memory(device); }

  std::pair<std::size_t, std::size_t> getMemoryInfo(c10::DeviceIndex device) override {
    const auto info = memory_info(device);
    return {info.free, info.capacity};
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

void record_stream(const void* address, const c10::Stream& stream) {
  if (is_device_address(address)) {
    block_cache(device_of(address)).record_stream(address, stream);
  }
}

}  // namespace openreg::device
