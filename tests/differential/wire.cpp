#include "differential/wire.h"

#include <unistd.h>

#include <sstream>

namespace openreg::differential {
namespace {

// Kernels' texts may hold anything.
std::string one_field(std::string text) {
  for (auto& c : text) {
    if (c == '\t' || c == '\n' || c == '\0') c = ' ';
  }
  return text;
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> parts;
  std::istringstream in(line);
  for (std::string part; std::getline(in, part, '\t');) parts.push_back(part);
  return parts;
}

void read_line(const std::vector<std::string>& line, OperatorReport& report) {
  const auto text = line.size() > 1 ? line[1] : "";
  if (line[0] == "op") report.op = text;
  if (line[0] == "missing") report.missing = text;
  if (line[0] == "refused") report.refused.insert(text);
  if (line[0] == "difference" && line.size() > 2) report.differences.push_back({std::stoi(text), {}, line[2]});
  if (line[0] == "line" && !report.differences.empty()) report.differences.back().lines.push_back(text);
}

}  // namespace

void write_report(int file, const OperatorReport& report) {
  std::ostringstream out;
  out << "op\t" << report.op << "\nmissing\t" << one_field(report.missing) << "\n";
  for (const auto& text : report.refused) out << "refused\t" << one_field(text) << "\n";
  for (const auto& difference : report.differences) {
    out << "difference\t" << difference.sample << "\t" << one_field(difference.repeat) << "\n";
    for (const auto& line : difference.lines) out << "line\t" << one_field(line) << "\n";
  }
  out << "end\n";
  const auto text = out.str();
  for (std::size_t done = 0; done < text.size();) {
    const auto count = ::write(file, text.data() + done, text.size() - done);
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
}

void read_reports(std::string& text, std::vector<OperatorReport>& reports) {
  const std::string end = "end\n";
  while (true) {
    auto stop = text.compare(0, end.size(), end) == 0 ? 0 : text.find("\n" + end);
    if (stop == std::string::npos) return;
    OperatorReport report;
    std::istringstream lines(text.substr(0, stop));
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) read_line(fields(line), report);
    }
    reports.push_back(std::move(report));
    text.erase(0, stop + 1 + end.size());
  }
}

}  // namespace openreg::differential
