#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace openreg::device {

// A quantity that rises and falls.
struct MemoryCount {
  std::size_t current = 0;
  std::size_t peak = 0;
  std::uint64_t added = 0;  // all that ever came; what went is added - current

  void add(std::size_t amount) noexcept {
    current += amount;
    added += amount;
    peak = std::max(peak, current);
  }
  bool would_peak(std::size_t amount) const noexcept { return current + amount > peak; }
  void remove(std::size_t amount) noexcept { current -= amount; }
  void reset_peak() noexcept { peak = current; }
};

struct MemoryCounts {
  MemoryCount blocks;         // handed out
  MemoryCount allocated;      // bytes of those
  MemoryCount waiting;        // bytes freed, but still used by a stream
  MemoryCount spans;          // held from the driver
  MemoryCount reserved;       // bytes of those
  std::uint64_t retries = 0;  // times that cached blocks were given back to make room
  std::uint64_t out_of_memory = 0;

  void reset_peaks() noexcept {
    for (auto* count : {&blocks, &allocated, &waiting, &spans, &reserved}) count->reset_peak();
  }
};

// As libtorch's c10::CachingAllocator::Stat, which has moved between versions. `base` is what was counted when the
// accumulated statistics were last reset.
template <typename Stat>
void fill_stat(Stat& stat, const MemoryCount& count, const MemoryCount& base) {
  stat.current = static_cast<std::int64_t>(count.current);
  stat.peak = static_cast<std::int64_t>(count.peak);
  stat.allocated = static_cast<std::int64_t>(count.added - base.added);
  stat.freed = static_cast<std::int64_t>((count.added - count.current) - (base.added - base.current));
}

}  // namespace openreg::device
