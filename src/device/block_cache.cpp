#include "device/block_cache.h"

#include <c10/core/Allocator.h>
#include <c10/util/Exception.h>
#include <sys/mman.h>

#include <algorithm>
#include <memory>

#include "device/driver/driver.h"
#include "device/driver_check.h"
#include "device/environment.h"
#include "device/readable.h"
#include "device/runtime.h"
#include "device/streams.h"
#include "log.h"

namespace openreg::device {
namespace {

void log_growth(int device, std::size_t bytes, std::size_t block) {
  if (C10_UNLIKELY(log::enabled(log::Level::debug))) {
    log::write(log::Level::debug, c10::str(kBackendName, ":", device, ": ", readable_bytes(bytes),
                                           " from the driver for blocks of ", readable_bytes(block)));
  }
}

void log_full(int device, std::size_t block) {
  if (C10_UNLIKELY(log::enabled(log::Level::warn))) {
    log::write(log::Level::warn, c10::str(kBackendName, ":", device, " has no room for a block of ",
                                          readable_bytes(block), ": cached blocks are given back"));
  }
}

constexpr std::size_t kSlabLimit = 64u << 10;  // larger blocks are spans of their own

std::size_t span_bytes(int size_class) {
  const auto bytes = class_bytes(size_class);
  if (bytes > kSlabLimit) {
    return bytes;
  }
  return bytes <= (8u << 10) ? 256u << 10 : 1u << 20;
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
  if (environment().memory_debug) {
    debug_ = std::make_unique<MemoryDebug>(device);
    note_whether_plain();
  }
}

BlockCache::Span& BlockCache::span_of(const void* address) const noexcept {
  return *units_[(reinterpret_cast<std::uintptr_t>(address) - address_base_) / unit_];
}

std::size_t BlockCache::block_bytes(const void* address) const noexcept {
  return class_bytes(span_of(address).size_class);
}

BlockCache::Span* BlockCache::make_span() {
  if (spare_spans_.empty()) {
    return &spans_.emplace_back();
  }
  auto* span = spare_spans_.back();
  spare_spans_.pop_back();
  return span;
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
  auto* span = make_span();
  *span = {reinterpret_cast<std::uintptr_t>(base), bytes, size_class, 0};
  const auto first = (span->base - address_base_) / unit_;
  const auto last = (span->base + bytes - 1 - address_base_) / unit_;
  std::fill(units_ + first, units_ + last + 1, span);
  for (auto i = blocks; i-- > 0;) {
    list.push_back(static_cast<char*>(base) + i * block);
  }
  counts_.spans.add(1);
  counts_.reserved.add(bytes);
  log_growth(device_, bytes, block);
  return true;
}

void* BlockCache::take(int size_class) {
  const auto owner = current_stream(static_cast<c10::DeviceIndex>(device_));
  if (C10_LIKELY(plain_.load(std::memory_order_relaxed) && owner.id() == 0)) {
    auto* mine = magazine();
    if (C10_UNLIKELY(mine == nullptr)) {
      mine = make_magazine();
    }
    if (void* address = C10_LIKELY(mine != nullptr) ? mine->take(size_class) : nullptr) {
      return address;
    }
  }
  return take_shared(size_class, owner);
}

void* BlockCache::take_shared(int size_class, const c10::Stream& owner) {
  const std::lock_guard lock(mutex_);
  const auto bytes = class_bytes(size_class);
  if (C10_UNLIKELY(counts_.blocks.would_peak(1) || counts_.allocated.would_peak(bytes))) {
    empty_magazines();
  }
  if (C10_UNLIKELY(!waiting_.empty())) {
    collect_finished(false);
  }
  auto& list = free_[static_cast<std::size_t>(size_class)];
  if (C10_UNLIKELY(list.empty())) {
    collect_finished(true);
    if (list.empty() && !grow(size_class)) {
      ++counts_.retries;
      log_full(device_, bytes);
      release_unused_locked();
      if (list.empty() && !grow(size_class)) {
        return nullptr;
      }
    }
  }
  void* address = list.back();
  if (C10_UNLIKELY(owner.id() != 0)) {
    uses_[address] = {owner};
    note_whether_plain();
  }
  list.pop_back();
  ++span_of(address).live;
  counts_.blocks.add(1);
  counts_.allocated.add(bytes);
  return address;
}

void* BlockCache::try_allocate(std::size_t bytes) {
  const auto index = size_class(C10_LIKELY(debug_ == nullptr) ? bytes : MemoryDebug::with_gaps(bytes));
  if (C10_UNLIKELY(index >= kClassCount)) {
    return nullptr;  // more than any device can hold
  }
  void* address = take(index);
  if (C10_UNLIKELY(address == nullptr) && wait_for_streams()) {
    address = take(index);
  }
  if (C10_UNLIKELY(address != nullptr && debug_ != nullptr)) {
    address = debug_->hand_out(address, class_bytes(index), bytes);
  }
  if (C10_UNLIKELY(address != nullptr && c10::memoryProfilingEnabled())) {
    report_to_profiler(address, static_cast<std::int64_t>(class_bytes(index)));
  }
  return address;
}

void BlockCache::report_to_profiler(void* address, std::int64_t change) const {
  const auto now = counts();
  c10::reportMemoryUsageToProfiler(address, change, now.allocated.current, now.reserved.current,
                                   default_stream().device());
}

void* BlockCache::allocate(std::size_t bytes) {
  void* address = try_allocate(bytes);
  if (C10_UNLIKELY(address == nullptr)) {
    throw_out_of_memory(bytes);
  }
  return address;
}

void BlockCache::throw_out_of_memory(std::size_t bytes) {
  std::string reason(driver::last_error());
  driver::MemoryInfo info;
  check(driver::memory_info(device_, &info));
  if (bytes > info.capacity) {  // the driver may not even have been asked
    reason = "a block of " + std::to_string(bytes) + " bytes is larger than the device";
  }
  {
    const std::lock_guard lock(mutex_);
    ++counts_.out_of_memory;
  }
  const auto now = counts();
  TORCH_CHECK_WITH(OutOfMemoryError, false, kBackendName, ":", device_, " is out of memory: ", readable_bytes(bytes),
                   " requested, ", readable_bytes(info.free), " free of ", readable_bytes(info.capacity), ", ",
                   readable_bytes(now.allocated.current), " in live tensors, ", readable_bytes(now.reserved.current),
                   " reserved; cached blocks were given back before this try. Free tensors, use smaller batches or "
                   "raise OPENREG_MEMORY_LIMIT. Reason: ",
                   reason, ".");
}

void BlockCache::free(void* address) noexcept {
  if (C10_UNLIKELY(debug_ != nullptr)) {
    address = debug_->take_back(address);
  }
  if (C10_UNLIKELY(c10::memoryProfilingEnabled())) {
    report_to_profiler(address, -static_cast<std::int64_t>(block_bytes(address)));
  }
  const bool work_is_queued = driver::any_work_pending();
  auto* mine = magazine();
  const auto index = span_of(address).size_class;
  if (C10_LIKELY(mine != nullptr && !work_is_queued && plain_.load(std::memory_order_relaxed)) &&
      Magazine::holds(index)) {
    if (C10_LIKELY(mine->put(index, address))) {
      return;
    }
    const std::lock_guard lock(mutex_);
    empty(*mine);
  }
  free_shared(address, work_is_queued);
}

void BlockCache::free_shared(void* address, bool work_is_queued) noexcept {
  std::unique_lock lock(mutex_);
  const auto bytes = class_bytes(span_of(address).size_class);
  counts_.blocks.remove(1);
  counts_.allocated.remove(bytes);
  if (C10_UNLIKELY(!uses_.empty() && !work_is_queued)) {
    uses_.erase(address);
    note_whether_plain();
  }
  if (C10_UNLIKELY(work_is_queued)) {
    const auto uses = take_uses(address);
    // Without the lock: a stream with a full queue lets the caller wait, while its task may want to free.
    lock.unlock();
    auto fences = fences_in(uses);
    lock.lock();
    note_whether_plain();
    if (!fences.empty()) {
      counts_.waiting.add(bytes);
      waiting_.push_back({address, std::move(fences)});
      note_whether_plain();
      return;
    }
  }
  give_back(address);
}

// Never reallocates: grow() reserved room for every block of the class.
void BlockCache::give_back(void* address) noexcept {
  auto& span = span_of(address);
  if (C10_UNLIKELY(debug_ != nullptr)) {
    MemoryDebug::make_stale(address, class_bytes(span.size_class));
  }
  --span.live;
  free_[static_cast<std::size_t>(span.size_class)].push_back(address);
}

StreamUses BlockCache::take_uses(void* address) noexcept {
  const auto found = uses_.find(address);
  if (found == uses_.end()) {
    return {default_stream()};
  }
  auto uses = std::move(found->second);
  uses_.erase(found);
  return uses;
}

void BlockCache::record_stream(const void* address, const c10::Stream& stream) {
  static_cast<void>(existing_stream_handle(stream));  // refuses what is not a stream of ours
  const std::lock_guard lock(mutex_);
  void* block = reinterpret_cast<void*>(locate(reinterpret_cast<std::uintptr_t>(address)).block);
  const auto found = uses_.find(block);
  if (found != uses_.end()) {
    add_use(found->second, stream);
  } else if (block != nullptr && stream != default_stream()) {
    uses_[block] = {default_stream(), stream};
    note_whether_plain();
  }
}

void BlockCache::note_whether_plain() noexcept {
  const bool plain = debug_ == nullptr && uses_.empty() && waiting_.empty();
  if (plain_.load(std::memory_order_relaxed) != plain) {
    plain_.store(plain, std::memory_order_relaxed);
  }
}

void BlockCache::collect_finished(bool all) noexcept {
  for (auto i = waiting_.begin(); i != waiting_.end();) {
    if (all_done(i->fences)) {
      counts_.waiting.remove(class_bytes(span_of(i->address).size_class));
      give_back(i->address);
      i = waiting_.erase(i);
    } else if (all) {
      ++i;
    } else {
      break;  // they stand in the order of their frees: the others are hardly done before
    }
  }
  note_whether_plain();
}

// False when there was nothing to wait for. A task does not wait: what it would wait for may be waiting for it.
bool BlockCache::wait_for_streams() {
  if (driver::on_stream(existing_stream_handle(current_stream(static_cast<c10::DeviceIndex>(device_))))) {
    return false;
  }
  Fences fences;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& waiting : waiting_) {
      fences.append(waiting.fences.begin(), waiting.fences.end());
    }
  }
  for (const auto& fence : fences) {
    fence->wait();
  }
  return !fences.empty();
}

void BlockCache::release_unused() noexcept {
  const std::lock_guard lock(mutex_);
  collect_finished(true);
  release_unused_locked();
}

void BlockCache::release_unused_locked() noexcept {
  empty_magazines();
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
    const auto first = (span->base - address_base_) / unit_;
    const auto last = (span->base + span->bytes - 1 - address_base_) / unit_;
    std::fill(units_ + first, units_ + last + 1, nullptr);
    driver::memory_free(reinterpret_cast<void*>(span->base));
    counts_.spans.remove(1);
    counts_.reserved.remove(span->bytes);
    total_[static_cast<std::size_t>(span->size_class)] -=
        std::max<std::size_t>(1, span->bytes / class_bytes(span->size_class));
    spare_spans_.push_back(span);
  }
}

BlockCache::Location BlockCache::locate(std::uintptr_t address) const noexcept {
  const auto* span = units_[(address - address_base_) / unit_];
  if (span == nullptr || address - span->base >= span->bytes) {
    return {};
  }
  const auto bytes = class_bytes(span->size_class);
  return {span->base + (address - span->base) / bytes * bytes, bytes};
}

c10::Stream BlockCache::default_stream() const noexcept {
  return c10::Stream(c10::Stream::DEFAULT, c10::Device(kDeviceType, static_cast<c10::DeviceIndex>(device_)));
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
  return static_cast<c10::DeviceIndex>((reinterpret_cast<std::uintptr_t>(device_address) - detail::device_range_base) /
                                       bytes_a_device);
}

}  // namespace openreg::device
