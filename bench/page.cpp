#include "page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace openreg::bench {
namespace {

constexpr auto kCpu = static_cast<std::size_t>(Way::cpu);
constexpr auto kMapped = static_cast<std::size_t>(Way::mapped);
constexpr auto kStock = static_cast<std::size_t>(Way::stock);

std::string formatted(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string time_text(const std::optional<Spread>& spread) {
  if (!spread) {
    return "";
  }
  const auto value = spread->median;
  return formatted(value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
}

std::string ratio_text(const std::optional<Spread>& ratio) {
  if (!ratio) {
    return "";
  }
  return formatted("%.2f", ratio->median) + " (" + formatted("%.2f", ratio->low) + "-" +
         formatted("%.2f", ratio->high) + ")";
}

// What no implementation on this machine can go below, and how far openreg is above it.
std::string limit_text(const Row& row, double gigabytes_per_second) {
  const auto& mapped = row.microseconds[kMapped];
  const auto& cpu = row.microseconds[kCpu];
  const double memory = row.bytes / (gigabytes_per_second * 1e3);
  if (mapped && memory > 10) {
    return "memory: " + formatted("%.0f", memory) + " us, at " + formatted("%.2f", mapped->median / memory) + "x";
  }
  if (row.extra && cpu && cpu->median < 20) {
    return "the CPU's own call: " + formatted("%+.2f us", row.extra->median);
  }
  return row.extra ? "the CPU kernel" : "";
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += std::log(value);
  }
  return values.empty() ? 0 : std::exp(sum / static_cast<double>(values.size()));
}

std::string summary_of_models(const Results& results) {
  std::vector<double> to_cpu;
  std::vector<double> to_stock;
  double worst = 0;
  for (const auto& row : results.rows) {
    if (row.group != "Models" || !row.ratio[kMapped]) {
      continue;
    }
    to_cpu.push_back(row.ratio[kMapped]->median);
    worst = std::max(worst, to_cpu.back());
    if (row.microseconds[kStock]) {
      to_stock.push_back(row.microseconds[kStock]->median / row.microseconds[kMapped]->median);
    }
  }
  if (to_cpu.empty()) {
    return "";
  }
  return "\nTorchScript's fuser is off: it makes one loop of several operators on the CPU, and knows no device of a "
         "program's own.\n\nOver these models openreg takes " +
         formatted("%.2f", geometric_mean(to_cpu)) + " times the CPU's time (geometric mean; the worst " +
         formatted("%.2f", worst) + "), and is\n" + formatted("%.1f", geometric_mean(to_stock)) +
         " times as fast as the stock fallback where that runs.\n";
}

void write_group(std::ostream& out, const Results& results, const std::string& group) {
  out << "\n## " << group << "\n\n| | CPU us | openreg us | staged us | stock us | openreg / CPU | limit |\n"
      << "|---|---|---|---|---|---|---|\n";
  for (const auto& row : results.rows) {
    if (row.group != group) {
      continue;
    }
    out << "| " << row.name;
    for (const auto& time : row.microseconds) {
      out << " | " << time_text(time);
    }
    out << " | " << ratio_text(row.ratio[kMapped]) << " | " << limit_text(row, results.copy_gigabytes_per_second)
        << " |\n";
  }
  if (group == "Models") {
    out << summary_of_models(results);
  }
}

}  // namespace

std::string page_of(const Results& results) {
  std::ostringstream out;
  out << R"(# Performance

Written by `./dev bench`, which measures all of it in one run: each row in turn on the CPU, on openreg, on openreg with
staged memory (`OPENREG_HOST_ACCESS=staged`) and on openreg with libtorch's own copying fallback
(`OPENREG_FALLBACK=stock`), one thread, batch by batch. Times are medians; quotients are of batches that ran one after
the other, with their quartiles. Read the quotients: the machine's speed drifts, and it hits all ways alike.

What bounds a row is one of two things. Small calls are bound by dispatch: the CPU's own call is the floor, and the
column says what openreg adds. Large ones are bound by memory: the floor is the time in which this machine copies as
many bytes as the operator must move at least. Openreg can be below the CPU there, because the device's allocator hands
out pages again that the CPU's must fetch anew from the kernel.

`./dev bench WORD` runs the rows whose name or group holds WORD, `--json FILE` keeps the numbers, and
`./dev bench --compare A.json B.json` tells what became slower.

)";
  out << "libtorch " << results.libtorch << "; this machine copies "
      << formatted("%.1f", results.copy_gigabytes_per_second) << " GB a second, read and written bytes together.\n\n"
      << "![Cost against size](performance.svg)\n";
  std::vector<std::string> groups;
  for (const auto& row : results.rows) {
    if (std::find(groups.begin(), groups.end(), row.group) == groups.end()) {
      groups.push_back(row.group);
      write_group(out, results, row.group);
    }
  }
  if (!results.startup.empty()) {
    out << "\n## A program's start\n\n| | processor time, ms | size, MB |\n|---|---|---|\n";
    for (const auto& one : results.startup) {
      out << "| " << one.program << " | " << formatted("%.0f", one.milliseconds) << " | "
          << formatted("%.1f", one.megabytes) << " |\n";
    }
  }
  return out.str();
}

void print_head() {
  std::printf("%-36s  %10s  %10s  %10s  %10s  %-18s  %s\n", "case", "CPU us", "openreg", "staged", "stock",
              "openreg / CPU", "openreg - CPU");
}

void print(const Row& row) {
  std::printf("%-36s  %10s  %10s  %10s  %10s  %-18s  %s\n", row.name.c_str(), time_text(row.microseconds[0]).c_str(),
              time_text(row.microseconds[1]).c_str(), time_text(row.microseconds[2]).c_str(),
              time_text(row.microseconds[3]).c_str(), ratio_text(row.ratio[kMapped]).c_str(),
              row.extra ? formatted("%+.2f us", row.extra->median).c_str() : "");
  std::fflush(stdout);
}

}  // namespace openreg::bench
