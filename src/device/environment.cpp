#include "device/environment.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "device/driver/driver.h"

namespace openreg::device {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : std::string_view{value};
}

int read_int(const char* name, int fallback, int low, int high) {
  const auto text = variable(name);
  if (text.empty()) {
    return fallback;
  }
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  TORCH_CHECK(error == std::errc{} && end == text.data() + text.size() && value >= low && value <= high, name, "=",
              text, " is not allowed: use a whole number from ", low, " to ", high, ".");
  return value;
}

std::size_t read_bytes(const char* name) {
  const auto text = variable(name);
  if (text.empty()) {
    return 0;
  }
  constexpr std::array<std::pair<std::string_view, std::size_t>, 7> units{{{"", 1},
                                                                           {"K", 1ull << 10},
                                                                           {"KiB", 1ull << 10},
                                                                           {"M", 1ull << 20},
                                                                           {"MiB", 1ull << 20},
                                                                           {"G", 1ull << 30},
                                                                           {"GiB", 1ull << 30}}};
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const auto* found = std::find_if(units.begin(), units.end(), [&](const auto& entry) { return entry.first == unit; });
  TORCH_CHECK(error == std::errc{} && found != units.end() && value > 0 &&
                  value <= (std::numeric_limits<std::size_t>::max() >> 8) / found->second,
              name, "=", text, " is not allowed: use bytes, or a whole number with K, M or G, for example 512M.");
  return value * found->second;
}

template <std::size_t N>
std::string read_word(const char* name, const char* fallback, const std::array<const char*, N>& words) {
  const auto text = variable(name);
  if (text.empty()) {
    return fallback;
  }
  if (std::find(words.begin(), words.end(), text) == words.end()) {
    std::string allowed;
    for (const char* word : words) {
      allowed += (allowed.empty() ? "" : ", ") + std::string(word);
    }
    TORCH_CHECK(false, name, "=", text, " is not allowed: use one of ", allowed, ".");
  }
  return std::string(text);
}

std::vector<std::string> read_list(const char* name) {
  std::vector<std::string> items;
  auto text = variable(name);
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    auto item = text.substr(0, comma);
    while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
    if (!item.empty()) {
      items.emplace_back(item);
    }
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return items;
}

Environment read() {
  Environment result;
  result.device_count = read_int("OPENREG_DEVICE_COUNT", 2, 1, driver::max_device_count);
  result.memory_limit = read_bytes("OPENREG_MEMORY_LIMIT");
  result.log_level = read_word("OPENREG_LOG_LEVEL", "off", std::array{"off", "error", "warn", "info", "debug"});
  result.host_access = read_word("OPENREG_HOST_ACCESS", "mapped", std::array{"mapped", "staged"});
  result.async = read_int("OPENREG_ASYNC", 0, 0, 1) == 1;
  result.memory_debug = read_int("OPENREG_MEMORY_DEBUG", 0, 0, 1) == 1;
  result.fallback = read_word("OPENREG_FALLBACK", "global", std::array{"global", "selective", "off", "stock"});
  result.fallback_forbid_set = std::getenv("OPENREG_FALLBACK_FORBID") != nullptr;
  result.fallback_forbid = read_list("OPENREG_FALLBACK_FORBID");
  result.fallback_allow = read_list("OPENREG_FALLBACK_ALLOW");
  result.fallback_force = read_list("OPENREG_FALLBACK_FORCE");
  result.forwarded = read_int("OPENREG_FORWARDED", 1, 0, 1) == 1;
  result.fallback_warn = read_word("OPENREG_FALLBACK_WARN", "once", std::array{"off", "once", "always"});
  result.fallback_summary = read_int("OPENREG_FALLBACK_SUMMARY", 0, 0, 1) == 1;
  return result;
}

}  // namespace

const Environment& environment() {
  static const auto* const values = new Environment(read());
  return *values;
}

bool disabled_by_environment() noexcept {
  const auto text = variable("OPENREG_DISABLE");
  return !text.empty() && text != "0";
}

}  // namespace openreg::device
