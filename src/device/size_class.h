#pragma once

#include <bit>
#include <cstddef>

// Block sizes that the cache keeps: multiples of 64 bytes up to 1 KiB, then four steps a doubling, so that a
// block wastes at most a fifth of its addresses (untouched pages cost no memory).
namespace openreg::device {

inline constexpr std::size_t kBlockAlignment = 64;
inline constexpr std::size_t kLinearLimit = 1024;
inline constexpr std::size_t kLinearClasses = kLinearLimit / kBlockAlignment;
inline constexpr int kClassCount = static_cast<int>(kLinearClasses) + 4 * (48 - 10);

// bytes > 0
constexpr int size_class(std::size_t bytes) noexcept {
  if (bytes <= kLinearLimit) {
    return static_cast<int>((bytes - 1) / kBlockAlignment);
  }
  const auto shift = std::bit_width(bytes - 1) - 1;
  const auto step = ((bytes - 1) >> (shift - 2)) & 3;
  return static_cast<int>(kLinearClasses) + (shift - 10) * 4 + static_cast<int>(step);
}

constexpr std::size_t class_bytes(int size_class) noexcept {
  const auto index = static_cast<std::size_t>(size_class);
  if (index < kLinearClasses) {
    return (index + 1) * kBlockAlignment;
  }
  const auto step = (index - kLinearClasses) % 4;
  const auto shift = (index - kLinearClasses) / 4 + 10;
  return (5 + step) << (shift - 2);
}

}  // namespace openreg::device
