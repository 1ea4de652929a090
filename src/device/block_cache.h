#pragma once

#include <c10/core/Device.h>
#include <c10/core/Stream.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "device/magazine.h"
#include "device/memory_counts.h"
#include "device/memory_debug.h"
#include "device/size_class.h"
#include "device/stream_uses.h"

namespace openreg::device {

// The blocks of one device. Small blocks are cut from slabs of one size class, a large block is a driver block
// of its own; freed blocks wait in their class for the next caller. Both ways cost the same with one live block
// and with a million: a table from 64 KiB unit to span finds the class of an address. What a thread frees it may keep:
// see Note [Magazines].
class BlockCache {
 public:
  explicit BlockCache(int device);

  // A device address of at least `bytes` > 0 bytes, or null when the device is full even after all cached
  // blocks went back to the driver. The block belongs to the calling thread's current stream.
  void* try_allocate(std::size_t bytes);

  // Same, but throws c10::OutOfMemoryError with the numbers.
  void* allocate(std::size_t bytes);

  // See Note [Freed while in use].
  void free(void* address) noexcept;

  // The block that holds `address` is used on `stream`, too.
  void record_stream(const void* address, const c10::Stream& stream);

  // Bytes that the block at `address` can hold.
  std::size_t block_bytes(const void* address) const noexcept;

  // Gives spans without a live block back to the driver.
  void release_unused() noexcept;

  MemoryCounts counts() const;
  void reset_peaks();

  // A thread that ends gives back what it kept.
  void retire(Magazine* magazine) noexcept;

  // What an address of the device belongs to. For a signal handler: takes no lock, allocates nothing.
  struct Location {
    std::uintptr_t block = 0;
    std::size_t bytes = 0;  // 0: in no block
  };
  Location locate(std::uintptr_t address) const noexcept;

 private:
  struct Span {
    std::uintptr_t base = 0;
    std::size_t bytes = 0;
    int size_class = 0;
    std::uint32_t live = 0;  // blocks in use, in a magazine, or waiting for a stream
  };
  struct Waiting {
    void* address;
    Fences fences;
  };

  Span& span_of(const void* address) const noexcept;
  c10::Stream default_stream() const noexcept;
  Span* make_span();
  bool grow(int size_class);
  Magazine* magazine() const noexcept { return magazines_of_thread[static_cast<std::size_t>(device_)]; }
  Magazine* make_magazine();
  void* take(int size_class);
  void* take_shared(int size_class, const c10::Stream& owner);
  void free_shared(void* address, bool work_is_queued) noexcept;
  void give_back(void* address) noexcept;
  void empty(Magazine& magazine) noexcept;
  void empty_magazines() noexcept;
  void note_whether_plain() noexcept;
  StreamUses take_uses(void* address) noexcept;
  void collect_finished(bool all) noexcept;
  bool wait_for_streams();
  void report_to_profiler(void* address, std::int64_t change) const;
  void release_unused_locked() noexcept;
  [[noreturn]] void throw_out_of_memory(std::size_t bytes);

  // What every call reads and few write.
  const int device_;
  std::uintptr_t address_base_ = 0;
  std::size_t unit_ = 0;
  Span** units_ = nullptr;         // one entry a unit of the device's addresses; its pages exist where it is used
  std::atomic<bool> plain_{true};  // as Note [Magazines] says, except for what is queued

  alignas(64) mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Magazine>> magazines_;
  std::array<std::vector<void*>, kClassCount> free_;
  std::array<std::size_t, kClassCount> total_{};  // blocks of each class, live and free
  MemoryCounts counts_;
  std::unique_ptr<MemoryDebug> debug_;          // null unless OPENREG_MEMORY_DEBUG=1
  std::unordered_map<void*, StreamUses> uses_;  // of live blocks that not only the default stream uses
  std::deque<Waiting> waiting_;                 // freed, oldest first
  std::deque<Span> spans_;                      // never deleted: locate() may be looking at one
  std::vector<Span*> spare_spans_;
};

// The cache of a device; the index must be valid.
BlockCache& block_cache(c10::DeviceIndex device);

// The device that a device address belongs to.
c10::DeviceIndex device_of(const void* device_address) noexcept;

}  // namespace openreg::device
