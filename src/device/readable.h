#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>

namespace openreg::device {

// "512 bytes", "1.50 GiB"
inline std::string readable_bytes(std::size_t bytes) {
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

}  // namespace openreg::device
