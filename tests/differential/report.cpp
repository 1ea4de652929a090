#include "differential/report.h"

#include <map>

#include "support/dispatcher.h"

namespace openreg::differential {
namespace {

bool writes(const c10::FunctionSchema& schema, bool out) {
  for (const auto& argument : schema.arguments()) {
    if (argument.alias_info() != nullptr && argument.alias_info()->isWrite() && argument.kwarg_only() == out)
      return true;
  }
  return false;
}

bool crashed(const Difference& difference) {
  return !difference.lines.empty() && difference.lines[0].compare(0, 6, "CRASH:") == 0;
}

}  // namespace

Totals count(const std::vector<OperatorReport>& reports) {
  Totals totals;
  for (const auto& report : reports) {
    ++totals.overloads;
    if (report.missing.empty()) {
      const auto schema = openreg::test::find_operator(report.op).schema();
      ++totals.fed;
      if (writes(schema, true)) {
        ++totals.fed_out;
      } else if (writes(schema, false)) {
        ++totals.fed_in_place;
      }
    }
    totals.differences += report.differences.empty() ? 0 : 1;
    for (const auto& difference : report.differences) totals.crashes += crashed(difference) ? 1 : 0;
  }
  return totals;
}

void print_differences(std::ostream& out, const std::vector<OperatorReport>& reports, std::uint64_t seed) {
  for (const auto& report : reports) {
    for (const auto& difference : report.differences) {
      out << report.op << ", sample " << difference.sample << ":\n";
      for (const auto& line : difference.lines) out << "    " << line << "\n";
      out << "  again:  differential_tests --op " << report.op << " --seed " << seed << " --sample "
          << difference.sample << "\n  in C++: " << difference.repeat << "\n";
    }
  }
}

void print_unfed(std::ostream& out, const std::vector<OperatorReport>& reports, const OperatorList& operators) {
  std::map<std::string, int> reasons;
  for (const auto& [name, reason] : operators.left_out) ++reasons["not run: " + reason];
  for (const auto& report : reports) {
    if (!report.missing.empty()) ++reasons["run: " + report.missing.substr(0, report.missing.find(':'))];
  }
  for (const auto& [reason, number] : reasons) out << number << "\t" << reason << "\n";
  for (const auto& [name, reason] : operators.left_out) out << name << "\tnot run: " << reason << "\n";
  for (const auto& report : reports) {
    if (!report.missing.empty()) out << report.op << "\t" << report.missing << "\n";
    for (const auto& text : report.refused) out << report.op << "\trefused: " << text << "\n";
  }
}

std::ostream& operator<<(std::ostream& out, const Totals& totals) {
  return out << totals.overloads << " overloads run, " << totals.fed << " fed (" << totals.fed_out << " out=, "
             << totals.fed_in_place << " in place), " << totals.differences << " with differences, " << totals.crashes
             << " crashes";
}

}  // namespace openreg::differential
