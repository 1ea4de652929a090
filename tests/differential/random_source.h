#pragma once

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

namespace openreg::differential {

// The choices of one sample. The same on every platform: no std:: distribution is used.
class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }

  // Both ends may come.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(high - low + 1));
  }

  bool chance(int percent) { return between(0, 99) < percent; }

  template <typename T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(choices.size()) - 1))];
  }

 private:
  std::mt19937_64 engine_;
};

// A seed for one sample of one operator: FNV-1a of the name, mixed with the others.
inline std::uint64_t sample_seed(std::string_view op, std::uint64_t seed, int sample) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : op) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  }
  return hash ^ (seed * 0x9E3779B97F4A7C15ULL) ^ (static_cast<std::uint64_t>(sample) * 0xC2B2AE3D27D4EB4FULL);
}

}  // namespace openreg::differential
