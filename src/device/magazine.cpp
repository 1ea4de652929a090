#include "device/magazine.h"

#include <memory>
#include <mutex>
#include <utility>

#include "device/block_cache.h"
#include "device/runtime.h"

namespace openreg::device {

constinit thread_local std::array<Magazine*, driver::max_device_count> magazines_of_thread{};

namespace {

constinit thread_local bool thread_ends = false;

struct ReturnAtThreadExit {
  ReturnAtThreadExit() = default;
  ReturnAtThreadExit(const ReturnAtThreadExit&) = delete;
  ReturnAtThreadExit& operator=(const ReturnAtThreadExit&) = delete;
  ~ReturnAtThreadExit() {
    thread_ends = true;  // tensors may still be freed in destructors that come later
    for (std::size_t i = 0; i < magazines_of_thread.size(); ++i) {
      auto* magazine = std::exchange(magazines_of_thread[i], nullptr);
      if (magazine != nullptr && is_initialized()) {
        block_cache(static_cast<c10::DeviceIndex>(i)).retire(magazine);
      }
    }
  }
};

}  // namespace

Magazine* BlockCache::make_magazine() {
  if (thread_ends) {
    return nullptr;
  }
  thread_local const ReturnAtThreadExit at_exit;
  const std::lock_guard lock(mutex_);
  magazines_.push_back(std::make_unique<Magazine>());
  return magazines_of_thread[static_cast<std::size_t>(device_)] = magazines_.back().get();
}

// The magazine's thread must not be using it.
void BlockCache::empty(Magazine& magazine) noexcept {
  counts_.blocks.added += magazine.counts().taken_blocks;
  counts_.allocated.added += magazine.counts().taken_bytes;
  magazine.empty([&](void* address) {
    counts_.blocks.remove(1);
    counts_.allocated.remove(block_bytes(address));
    give_back(address);
  });
}

// All at one moment: what is counted then is what lives.
void BlockCache::empty_magazines() noexcept {
  for (const auto& magazine : magazines_) magazine->lock();
  for (const auto& magazine : magazines_) empty(*magazine);
  for (const auto& magazine : magazines_) magazine->unlock();
}

void BlockCache::retire(Magazine* magazine) noexcept {
  const std::lock_guard lock(mutex_);
  empty(*magazine);
  std::erase_if(magazines_, [&](const auto& one) { return one.get() == magazine; });
}

MemoryCounts BlockCache::counts() const {
  const std::lock_guard lock(mutex_);
  auto result = counts_;
  for (const auto& magazine : magazines_) magazine->lock();
  for (const auto& magazine : magazines_) {
    const auto& kept = magazine->counts();
    result.blocks.current -= kept.blocks;
    result.blocks.added += kept.taken_blocks;
    result.allocated.current -= kept.bytes;
    result.allocated.added += kept.taken_bytes;
  }
  for (const auto& magazine : magazines_) magazine->unlock();
  return result;
}

void BlockCache::reset_peaks() {
  const std::lock_guard lock(mutex_);
  empty_magazines();
  counts_.reset_peaks();
}

}  // namespace openreg::device
