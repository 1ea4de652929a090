#include "device/block_cache.h"

#include <c10/util/Exception.h>
#include <sys/mman.h>

#include <algorithm>

#include "device/driver/driver.h"
#include "device/driver_check.h"
#include "device/runtime.h"

namespace openreg::device {
namespace {

constexpr std::size_t kSlabLimit = 64u << 10;  // larger blocks are spans of their own

std::size_t span_bytes(int size_class) {
  const auto bytes = class_bytes(size_class);
  if (bytes > kSlabLimit) {
    return bytes;
  }
  return bytes <= (8u << 10) ? 256u << 10 : 1u << 20;
}

std::string readable(std::size_t bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.2f %s", value, units[unit]);
  return text;
}

}  // namespace

BlockCache::BlockCache(int device) : device_(device) {
  driver::DeviceProperties properties{};
  check(driver::device_properties(device, &properties));
  address_base_ = properties.address_base;
  unit_ = properties.allocation_granularity;
  const auto table_bytes = (properties.address_bytes / unit_ + 1) * sizeof(Span*);
  void* table = mmap(nullptr, table_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  TORCH_CHECK(table != MAP_FAILED, "openreg: cannot map ", table_bytes, " bytes for the block table of device ", device,
              ". Lower OPENREG_MEMORY_LIMIT or raise the limit on address space (ulimit -v).");
  units_ = static_cast<Span**>(table);
}

BlockCache::Span& BlockCache::span_of(const void* address) const noexcept {
  return *units_[(reinterpret_cast<std::uintptr_t>(address) - address_base_) / unit_];
}

std::size_t BlockCache::block_bytes(const void* address) const noexcept {
  return class_bytes(span_of(address).size_class);
}

bool BlockCache::grow(int size_class) {
  const auto bytes = span_bytes(size_class);
  void* base = nullptr;
  if (driver::memory_allocate(device_, bytes, &base) != driver::Status::success) {
    return false;
  }
  const auto block = class_bytes(size_class);
  const auto blocks = std::max<std::size_t>(1, bytes / block);
  auto& list = free_[static_cast<std::size_t>(size_class)];
  auto& total = total_[static_cast<std::size_t>(size_class)];
  total += blocks;
  if (list.capacity() < total) {
    list.reserve(std::max(total, 2 * list.capacity()));
  }
  auto* span = new Span{reinterpret_cast<std::uintptr_t>(base), bytes, size_class, 0};
  const auto first = (span->base - address_base_) / unit_;
  const auto last = (span->base + bytes - 1 - address_base_) / unit_;
  std::fill(units_ + first, units_ + last + 1, span);
  for (auto i = blocks; i-- > 0;) {
    list.push_back(static_cast<char*>(base) + i * block);
  }
  statistics_.reserved += bytes;
  statistics_.peak_reserved = std::max(statistics_.peak_reserved, statistics_.reserved);
  ++statistics_.driver_allocations;
  return true;
}

void* BlockCache::try_allocate(std::size_t bytes) {
  const auto index = size_class(bytes);
  TORCH_CHECK(index < kClassCount, "openreg: a block of ", bytes, " bytes is larger than any device can hold.");
  const std::lock_guard lock(mutex_);
  auto& list = free_[static_cast<std::size_t>(index)];
  if (C10_UNLIKELY(list.empty()) && !grow(index)) {
    release_unused_locked();
    if (list.empty() && !grow(index)) {
      return nullptr;
    }
  }
  void* address = list.back();
  list.pop_back();
  ++span_of(address).live;
  ++statistics_.allocations;
  statistics_.allocated += class_bytes(index);
  statistics_.peak_allocated = std::max(statistics_.peak_allocated, statistics_.allocated);
  return address;
}

void* BlockCache::allocate(std::size_t bytes) {
  void* address = try_allocate(bytes);
  if (C10_UNLIKELY(address == nullptr)) {
    throw_out_of_memory(bytes);
  }
  return address;
}

void BlockCache::throw_out_of_memory(std::size_t bytes) {
  const auto reason = driver::last_error();
  driver::MemoryInfo info;
  check(driver::memory_info(device_, &info));
  std::size_t allocated = 0;
  std::size_t reserved = 0;
  {
    const std::lock_guard lock(mutex_);
    ++statistics_.out_of_memory;
    allocated = statistics_.allocated;
    reserved = statistics_.reserved;
  }
  TORCH_CHECK_WITH(OutOfMemoryError, false, "openreg:", device_, " is out of memory: ", readable(bytes),
                   " requested, ", readable(info.free), " free of ", readable(info.capacity), ", ",
                   readable(allocated), " in live tensors, ", readable(reserved),
                   " reserved; cached blocks were given back before this try. Free tensors, use smaller batches or "
                   "raise OPENREG_MEMORY_LIMIT. The driver said: ", reason, ".");
}

void BlockCache::free(void* address) noexcept {
  const std::lock_guard lock(mutex_);
  auto& span = span_of(address);
  --span.live;
  ++statistics_.frees;
  statistics_.allocated -= class_bytes(span.size_class);
  // Never reallocates: grow() reserved room for every block of the class.
  free_[static_cast<std::size_t>(span.size_class)].push_back(address);
}

void BlockCache::release_unused() noexcept {
  const std::lock_guard lock(mutex_);
  release_unused_locked();
}

void BlockCache::release_unused_locked() noexcept {
  std::vector<Span*> unused;
  for (auto& list : free_) {
    const auto kept = std::remove_if(list.begin(), list.end(), [&](void* address) {
      auto& span = span_of(address);
      if (span.live != 0) {
        return false;
      }
      if (reinterpret_cast<std::uintptr_t>(address) == span.base) {
        unused.push_back(&span);
      }
      return true;
    });
    list.erase(kept, list.end());
  }
  for (auto* span : unused) {
    driver::memory_free(reinterpret_cast<void*>(span->base));
    statistics_.reserved -= span->bytes;
    ++statistics_.driver_frees;
    total_[static_cast<std::size_t>(span->size_class)] -= std::max<std::size_t>(1, span->bytes / class_bytes(span->size_class));
    const auto first = (span->base - address_base_) / unit_;
    const auto last = (span->base + span->bytes - 1 - address_base_) / unit_;
    std::fill(units_ + first, units_ + last + 1, nullptr);
    delete span;
  }
}

MemoryStatistics BlockCache::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

void BlockCache::reset_peaks() {
  const std::lock_guard lock(mutex_);
  statistics_.peak_allocated = statistics_.allocated;
  statistics_.peak_reserved = statistics_.reserved;
}

// Leaked: tensors in static storage are freed after every destructor here would have run.
BlockCache& block_cache(c10::DeviceIndex device) {
  static auto* const caches = [] {
    auto* made = new std::vector<std::unique_ptr<BlockCache>>;
    for (int i = 0; i < device_count(); ++i) {
      made->push_back(std::make_unique<BlockCache>(i));
    }
    return made;
  }();
  return *(*caches)[static_cast<std::size_t>(device)];
}

c10::DeviceIndex device_of(const void* device_address) noexcept {
  static const auto bytes_a_device = detail::device_range_bytes / static_cast<std::size_t>(device_count());
  return static_cast<c10::DeviceIndex>(
      (reinterpret_cast<std::uintptr_t>(device_address) - detail::device_range_base) / bytes_a_device);
}

}  // namespace openreg::device
