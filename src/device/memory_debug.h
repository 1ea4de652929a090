#pragma once

#include <cstddef>
#include <mutex>
#include <unordered_map>

namespace openreg::device {

// Note [Memory debugging]
// With OPENREG_MEMORY_DEBUG=1 every block has a guard gap before and behind it, and holds a pattern when it is handed
// out and again when it goes back to the cache. A free looks at the gaps: written to, or the address is none that is
// live, and the process ends with a report, as under AddressSanitizer: what comes after would be chance. A block that
// a stream still uses is not overwritten before the stream is done.
class MemoryDebug {
 public:
  static constexpr std::size_t gap = 64;  // keeps the alignment of blocks
  static constexpr unsigned char fresh = 0xCD;
  static constexpr unsigned char stale = 0xDD;
  static constexpr unsigned char guard = 0xFD;

  // Throws c10::Error when the host cannot address the device's memory.
  explicit MemoryDebug(int device);

  // What to ask the cache for; for more than any device can hold, that it stays.
  static constexpr std::size_t with_gaps(std::size_t bytes) {
    return bytes + 2 * gap < bytes ? bytes : bytes + 2 * gap;
  }

  // Lays `bytes` out in the block, and gives their address.
  void* hand_out(void* block, std::size_t block_bytes, std::size_t bytes);

  // The block of an address that is freed. Does not return when something is wrong with it.
  void* take_back(void* address) noexcept;

  static void make_stale(void* block, std::size_t block_bytes) noexcept;

 private:
  struct Record {
    std::size_t bytes;
    std::size_t block_bytes;
  };

  [[noreturn]] void report(const char* what, const void* address, std::size_t bytes) const noexcept;

  const int device_;
  std::mutex mutex_;
  std::unordered_map<void*, Record> live_;
  std::unordered_map<void*, std::size_t> freed_;  // the last size at an address
};

}  // namespace openreg::device
