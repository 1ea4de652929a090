#include "text.h"

#include <c10/util/Exception.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace openreg::demo {
namespace {

std::string format(const char* pattern, double value) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), pattern, value);
  return buffer.data();
}

}  // namespace

Style Style::of_terminal(int descriptor) {
  const char* const no_color = std::getenv("NO_COLOR");
  return Style(isatty(descriptor) == 1 && (no_color == nullptr || *no_color == '\0'));
}

std::string Style::paint(const char* code, const std::string& text) const {
  return colour_ ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
}

void Table::add(std::vector<std::string> cells) {
  TORCH_CHECK(cells.size() == columns_.size(), "A table of ", columns_.size(), " columns was given a row of ",
              cells.size(), ".");
  rows_.push_back(std::move(cells));
}

std::string Table::text(std::size_t indent) const {
  std::vector<std::size_t> widths(columns_.size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string result;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      line += i == 0 ? "" : "  ";
      line += columns_[i] == Align::left ? row[i] + padding : padding + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

std::string bytes_text(std::size_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (bytes < 1024) return format("%.0f B", value);
  if (bytes < 1024 * 1024) return format("%.1f KiB", value / 1024);
  if (bytes < 1024 * 1024 * 1024) return format("%.1f MiB", value / (1024 * 1024));
  return format("%.1f GiB", value / (1024.0 * 1024 * 1024));
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-3) return format("%.1f us", seconds * 1e6);
  if (seconds < 1) return format("%.1f ms", seconds * 1e3);
  return format("%.2f s", seconds);
}

std::string number_text(double value) { return format("%.4g", value); }

std::string plural(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string wrapped(const std::string& text, std::size_t width) {
  std::string result = text;
  std::size_t line = 0;
  while (result.size() - line > width) {
    const auto end = result.find('\n', line);
    if (end != std::string::npos && end - line <= width) {
      line = end + 1;
      continue;
    }
    const auto blank = result.find_last_of(' ', line + width);
    if (blank == std::string::npos || blank <= line) {
      break;
    }
    result[blank] = '\n';
    line = blank + 1;
  }
  return result;
}

}  // namespace openreg::demo
