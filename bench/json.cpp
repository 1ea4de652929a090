#include "json.h"

#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>

namespace openreg::bench {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string list(const std::optional<Spread>& spread) {
  return !spread ? "null"
                 : "[" + number(spread->median) + ", " + number(spread->low) + ", " + number(spread->high) + "]";
}

// The value behind `"key": ` in a line that write_json wrote.
std::string value_of(const std::string& line, const std::string& key) {
  const auto begin = line.find("\"" + key + "\": ");
  if (begin == std::string::npos) {
    return "";
  }
  const auto value = begin + key.size() + 4;
  const char end = line[value] == '"' ? '"' : line[value] == '[' ? ']' : ',';
  return line.substr(value + (end == ',' ? 0 : 1), line.find(end, value + 1) - value - (end == ',' ? 0 : 1));
}

std::map<std::string, Spread> ratios_in(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) {
    throw std::runtime_error(file + " cannot be read: write it with ./dev bench --json FILE");
  }
  std::map<std::string, Spread> result;
  for (std::string line; std::getline(stream, line);) {
    Spread ratio;
    const auto text = value_of(line, "mapped_ratio");
    if (std::sscanf(text.c_str(), "%lf, %lf, %lf", &ratio.median, &ratio.low, &ratio.high) == 3) {
      result[value_of(line, "group") + ": " + value_of(line, "name")] = ratio;
    }
  }
  return result;
}

}  // namespace

void write_json(const Results& results, const std::string& file) {
  std::ofstream out(file);
  out << "{\n\"libtorch\": \"" << results.libtorch
      << "\",\n\"copy_gigabytes_per_second\": " << number(results.copy_gigabytes_per_second) << ",\n\"startup\": [";
  for (std::size_t i = 0; i < results.startup.size(); ++i) {
    const auto& one = results.startup[i];
    out << (i == 0 ? "\n" : ",\n") << "{\"program\": \"" << one.program
        << "\", \"milliseconds\": " << number(one.milliseconds) << ", \"megabytes\": " << number(one.megabytes) << "}";
  }
  out << "\n],\n\"rows\": [";
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    const auto& row = results.rows[i];
    out << (i == 0 ? "\n" : ",\n") << "{\"group\": \"" << row.group << "\", \"name\": \"" << row.name << "\"";
    for (std::size_t way = 0; way < kWays; ++way) {
      out << ", \"" << kWayNames[way] << "_us\": " << list(row.microseconds[way]);
      out << ", \"" << kWayNames[way] << "_ratio\": " << list(row.ratio[way]);
    }
    out << ", \"extra_us\": " << list(row.extra) << ", \"bytes\": " << number(row.bytes) << "}";
  }
  out << "\n]\n}\n";
  if (!out.flush()) {
    throw std::runtime_error(file + " cannot be written");
  }
}

int compare_json(const std::string& before, const std::string& after) {
  const auto old_ratios = ratios_in(before);
  int slower = 0;
  std::printf("%-52s  %8s  %8s  %s\n", "openreg / CPU", "before", "after", "change");
  for (const auto& [name, now] : ratios_in(after)) {
    const auto found = old_ratios.find(name);
    if (found == old_ratios.end()) {
      std::printf("%-52s  %8s  %8.3f  new\n", name.c_str(), "", now.median);
      continue;
    }
    const auto& was = found->second;
    const bool worse = now.low > was.high && now.median > 1.1 * was.median;
    const bool better = now.high < was.low && now.median < was.median / 1.1;
    slower += worse ? 1 : 0;
    std::printf("%-52s  %8.3f  %8.3f  %+.0f %%%s\n", name.c_str(), was.median, now.median,
                (now.median / was.median - 1) * 100,
                worse    ? "  SLOWER"
                : better ? "  faster"
                         : "");
  }
  std::printf("%d slower beyond both spreads and 10 %%\n", slower);
  return slower;
}

}  // namespace openreg::bench
