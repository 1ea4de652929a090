#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "device/driver/driver.h"
#include "device/size_class.h"

namespace openreg::device {

// Note [Magazines]
// Threads that share a cache wait for each other, and get blocks whose bytes lie in another processor's cache. So each
// thread keeps a few of the blocks that it frees, and takes them again without the cache's lock.
//
// The cache counts a block in a magazine as handed out, and takes the magazines' contents off when it is asked. Its
// peaks stay exact: when what it has handed out, magazines included, is about to pass a peak, it empties them first.
// Below the peak it does not matter which of these blocks are live.
//
// Only what is plain goes through a magazine: no work is queued, no block has a stream noted, none waits, and the
// memory is not debugged.

// The freed blocks that one thread keeps of one device. The lock is the thread's own but when the cache counts or
// empties; the cache's lock comes before it.
class alignas(64) Magazine {
 public:
  // What it holds, and what was taken from it.
  struct Counts {
    std::size_t blocks = 0;
    std::size_t bytes = 0;
    std::uint64_t taken_blocks = 0;
    std::uint64_t taken_bytes = 0;
  };

  // Larger blocks are not worth it.
  static constexpr bool holds(int size_class) noexcept { return size_class <= kLargest; }

  // Null: none of that class.
  void* take(int size_class) noexcept {
    if (!holds(size_class)) {
      return nullptr;
    }
    lock();
    auto& shelf = shelves_[static_cast<std::size_t>(size_class)];
    void* address = nullptr;
    if (shelf.count > 0) {
      address = shelf.blocks[--shelf.count];
      const auto bytes = class_bytes(size_class);
      --counts_.blocks;
      counts_.bytes -= bytes;
      ++counts_.taken_blocks;
      counts_.taken_bytes += bytes;
    }
    unlock();
    return address;
  }

  // False: there is no room. The class must be one that it holds.
  bool put(int size_class, void* address) noexcept {
    const auto bytes = class_bytes(size_class);
    lock();
    auto& shelf = shelves_[static_cast<std::size_t>(size_class)];
    const bool fits = shelf.count < shelf.blocks.size() && counts_.bytes + bytes <= kMostBytes;
    if (fits) {
      shelf.blocks[shelf.count++] = address;
      ++counts_.blocks;
      counts_.bytes += bytes;
    }
    unlock();
    return fits;
  }

  void lock() noexcept {
    while (locked_.test_and_set(std::memory_order_acquire)) {
      std::this_thread::yield();
    }
  }
  void unlock() noexcept { locked_.clear(std::memory_order_release); }

  // Under the lock.
  const Counts& counts() const noexcept { return counts_; }
  template <typename Give>
  void empty(const Give& give) noexcept {
    for (auto shelf = shelves_.begin(); counts_.blocks > 0 && shelf != shelves_.end(); ++shelf) {
      while (shelf->count > 0) {
        --counts_.blocks;
        give(shelf->blocks[--shelf->count]);
      }
    }
    counts_ = {};
  }

 private:
  static constexpr int kLargest = size_class(1u << 20);
  static constexpr std::size_t kMostBytes = 4u << 20;

  struct alignas(64) Shelf {
    std::size_t count = 0;
    std::array<void*, 7> blocks;
  };

  std::atomic_flag locked_;
  Counts counts_;
  std::array<Shelf, kLargest + 1> shelves_;
};

// The calling thread's, by device; null: it has none. They belong to the caches.
extern constinit thread_local std::array<Magazine*, driver::max_device_count> magazines_of_thread;

}  // namespace openreg::device
