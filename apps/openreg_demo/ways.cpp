#include "ways.h"

#include <map>

#include "text.h"

namespace openreg::demo {
namespace {

struct Sum {
  std::uint64_t calls = 0;
  std::vector<std::string> operators;
};

std::map<Way, Sum> sums_by_way(const std::vector<LedgerEntry>& entries) {
  std::map<Way, Sum> sums;
  for (const auto& entry : entries) {
    auto& sum = sums[entry.way];
    sum.calls += entry.calls;
    sum.operators.push_back(entry.op);
  }
  return sums;
}

// "aten::" goes without saying.
std::string short_name(const std::string& op) {
  constexpr std::string_view kAten = "aten::";
  return op.compare(0, kAten.size(), kAten) == 0 ? op.substr(kAten.size()) : op;
}

}  // namespace

std::string ways_line(const std::vector<LedgerEntry>& entries) {
  std::string line;
  for (const auto& [way, sum] : sums_by_way(entries)) {
    line += (line.empty() ? "" : ", ") + std::string(way_name(way)) + " " + std::to_string(sum.calls);
  }
  return line.empty() ? "none" : line;
}

std::string ways_table(const std::vector<LedgerEntry>& entries, std::size_t indent) {
  constexpr std::size_t kWidth = 64;
  Table table({Align::left, Align::right, Align::left});
  table.add({"way", "calls", "operators"});
  for (const auto& [way, sum] : sums_by_way(entries)) {
    std::vector<std::string> lines(1);
    for (const auto& op : sum.operators) {
      const auto name = short_name(op);
      if (!lines.back().empty() && lines.back().size() + name.size() + 2 > kWidth) {
        lines.emplace_back();
      }
      lines.back() += (lines.back().empty() ? "" : "  ") + name;
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      table.add({i == 0 ? way_name(way) : "", i == 0 ? std::to_string(sum.calls) : "", lines[i]});
    }
  }
  return table.text(indent);
}

}  // namespace openreg::demo
