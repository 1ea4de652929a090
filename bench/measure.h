#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cases.h"

namespace openreg::bench {

// Who computes: the CPU, openreg on mapped memory, openreg through bounce buffers, libtorch's own copying fallback.
enum class Way { cpu, mapped, staged, stock };
inline constexpr std::size_t kWays = 4;
inline constexpr std::array<const char*, kWays> kWayNames{"cpu", "mapped", "staged", "stock"};

// Median and quartiles.
struct Spread {
  double median = 0;
  double low = 0;
  double high = 0;
};

Spread spread_of(std::vector<double> values);

struct Row {
  std::string group;
  std::string name;
  std::string series;
  double size = 0;
  double bytes = 0;
  std::array<std::optional<Spread>, kWays> microseconds;
  std::array<std::optional<Spread>, kWays> ratio;  // to the CPU, of batches that ran one after the other
  std::optional<Spread> extra;                     // mapped - CPU, microseconds
};

struct Effort {
  int repetitions = 15;
  double batch_microseconds = 2000;  // that one batch takes at least, unless one call is longer
};

// Times a case in all ways, batch by batch in turn: the machine's drift falls on all of them alike.
Row measure(const Case& one, const Effort& effort);

}  // namespace openreg::bench
