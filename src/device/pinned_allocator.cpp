#include "device/pinned_allocator.h"

#include <c10/util/Exception.h>

#include <array>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "device/compat.h"
#include "device/driver/driver.h"
#include "device/driver_check.h"
#include "device/memory_counts.h"
#include "device/runtime.h"
#include "device/size_class.h"
#include "device/stream_uses.h"
#include "device/streams.h"
#include "openreg/memory.h"

namespace openreg::device {
namespace {

void delete_pinned(void* address);

// The live, waiting and cached blocks. Pinned memory is asked for rarely and in large pieces, so each block is the
// driver's own and a map finds it.
class PinnedCache {
 public:
  void* allocate(std::size_t bytes) {
    const auto index = size_class(bytes);
    TORCH_CHECK(index < kClassCount, "openreg: ", bytes, " bytes of pinned memory are more than a host can have.");
    const std::lock_guard lock(mutex_);
    collect_finished();
    auto& list = free_[static_cast<std::size_t>(index)];
    if (list.empty()) {
      void* block = nullptr;
      check(driver::host_allocate(class_bytes(index), &block));
      counts_.spans.add(1);
      counts_.reserved.add(class_bytes(index));
      list.push_back(block);
    }
    void* block = list.back();
    live_[reinterpret_cast<std::uintptr_t>(block)] = {index, {}};
    list.pop_back();
    counts_.blocks.add(1);
    counts_.allocated.add(class_bytes(index));
    return block;
  }

  void free(void* address) noexcept {
    std::unique_lock lock(mutex_);
    const auto found = live_.find(reinterpret_cast<std::uintptr_t>(address));
    const auto block = std::move(found->second);
    live_.erase(found);
    counts_.blocks.remove(1);
    counts_.allocated.remove(class_bytes(block.size_class));
    lock.unlock();
    auto fences = fences_in(block.uses);
    lock.lock();
    if (fences.empty()) {
      free_[static_cast<std::size_t>(block.size_class)].push_back(address);
    } else {
      waiting_.push_back({address, block.size_class, std::move(fences)});
    }
  }

  bool contains(const void* address) noexcept {
    const std::lock_guard lock(mutex_);
    return find(address) != nullptr;
  }

  bool record(const void* address, const c10::Stream& stream) {
    const std::lock_guard lock(mutex_);
    auto* block = find(address);
    if (block != nullptr) {
      add_use(block->uses, stream);
    }
    return block != nullptr;
  }

  void release_unused() {
    const std::lock_guard lock(mutex_);
    collect_finished();
    for (std::size_t i = 0; i < free_.size(); ++i) {
      for (void* block : free_[i]) {
        check(driver::host_free(block));
        counts_.spans.remove(1);
        counts_.reserved.remove(class_bytes(static_cast<int>(i)));
      }
      free_[i].clear();
    }
  }

  MemoryCounts counts() {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

  void reset_peaks() {
    const std::lock_guard lock(mutex_);
    counts_.reset_peaks();
  }

 private:
  struct Block {
    int size_class = 0;
    StreamUses uses;
  };
  struct Waiting {
    void* address;
    int size_class;
    Fences fences;
  };

  Block* find(const void* address) noexcept {
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    const auto after = live_.upper_bound(number);
    if (after == live_.begin()) {
      return nullptr;
    }
    const auto found = std::prev(after);
    return number - found->first < class_bytes(found->second.size_class) ? &found->second : nullptr;
  }

  void collect_finished() {
    for (auto i = waiting_.begin(); i != waiting_.end();) {
      if (all_done(i->fences)) {
        free_[static_cast<std::size_t>(i->size_class)].push_back(i->address);
        i = waiting_.erase(i);
      } else {
        ++i;
      }
    }
  }

  std::mutex mutex_;
  std::map<std::uintptr_t, Block> live_;
  std::deque<Waiting> waiting_;
  std::array<std::vector<void*>, kClassCount> free_;
  MemoryCounts counts_;
};

// Leaked: pinned tensors in static storage are freed late.
PinnedCache& cache() {
  static auto* const instance = new PinnedCache;
  return *instance;
}

void delete_pinned(void* address) {
  // In a forked child the lock may be held by a thread that no longer exists.
  if (address != nullptr && is_initialized()) {
    cache().free(address);
  }
}

// Fills what the version at hand has; a type of our own has nothing.
template <typename Stats>
Stats host_stats(const MemoryCounts& now, const MemoryCounts& base) {
  Stats stats;
  if constexpr (requires { stats.active_requests; }) {
    fill_stat(stats.active_requests, now.blocks, base.blocks);
    fill_stat(stats.active_bytes, now.allocated, base.allocated);
    fill_stat(stats.allocations, now.spans, base.spans);
    fill_stat(stats.allocated_bytes, now.reserved, base.reserved);
    stats.num_host_alloc = static_cast<std::int64_t>(now.spans.added - base.spans.added);
    stats.num_host_free = stats.allocations.freed;
  }
  return stats;
}

class PinnedAllocator final : public compat::HostAllocatorBase {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    ensure_initialized();
    void* address = bytes == 0 ? nullptr : cache().allocate(bytes);
    return {address, address, &delete_pinned, c10::Device(c10::DeviceType::CPU)};
  }

  c10::DeleterFnPtr raw_deleter() const override { return &delete_pinned; }

  void copy_data(void* destination, const void* source, std::size_t bytes) const override {
    default_copy_data(destination, source, bytes);
  }

  bool record_event(void* address, void*, c10::Stream stream) override { return record_pinned_stream(address, stream); }
  void empty_cache() override { empty_pinned_cache(); }

  compat::HostStats get_stats() override {
    const std::lock_guard lock(mutex_);
    return host_stats<compat::HostStats>(cache().counts(), base_);
  }

  void reset_accumulated_stats() override {
    const std::lock_guard lock(mutex_);
    base_ = cache().counts();
  }

  void reset_peak_stats() override { cache().reset_peaks(); }

 private:
  std::mutex mutex_;
  MemoryCounts base_;  // what was counted when the accumulated statistics were reset
};

PinnedAllocator& instance() {
  static auto* const made = new PinnedAllocator;
  return *made;
}

}  // namespace

c10::Allocator& pinned_allocator() { return instance(); }

void register_pinned_allocator() { compat::register_host_allocator(kDeviceType, &instance()); }

bool is_pinned(const void* address) noexcept {
  return address != nullptr && is_initialized() && cache().contains(address);
}

bool record_pinned_stream(const void* address, const c10::Stream& stream) {
  if (!is_pinned(address)) {
    return false;
  }
  static_cast<void>(existing_stream_handle(stream));  // refuses what is not a stream of ours
  return cache().record(address, stream);
}

}  // namespace openreg::device

namespace openreg {

PinnedStatistics pinned_statistics() {
  const auto counts = device::cache().counts();
  return {counts.allocated.current, counts.reserved.current, counts.blocks.added,
          counts.blocks.added - counts.blocks.current};
}

void empty_pinned_cache() { device::cache().release_unused(); }

}  // namespace openreg
