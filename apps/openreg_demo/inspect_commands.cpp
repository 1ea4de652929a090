#include "inspect_commands.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <openreg/dispatch.h>
#include <openreg/inspect.h>

#include <c10/util/Exception.h>

#include "text.h"

namespace openreg::demo {
namespace {

struct Request {
  std::vector<std::string> ways;
  std::string pattern;
  std::string format = "table";
  bool counts = false;
  bool traps = false;
};

std::vector<std::string> way_names() {
  std::vector<std::string> names;
  for (int way = 0; way <= static_cast<int>(inspect::Coverage::none); ++way) {
    names.emplace_back(inspect::coverage_name(static_cast<inspect::Coverage>(way)));
  }
  return names;
}

bool wanted(const Request& request, const inspect::OperatorCoverage& entry) {
  const bool way = request.ways.empty() || std::find(request.ways.begin(), request.ways.end(),
                                                     inspect::coverage_name(entry.how)) != request.ways.end();
  return way && entry.op.find(request.pattern) != std::string::npos;
}

// Names, ways and file names hold no character that JSON or CSV would have to escape.
void print(const Request& request, const std::vector<inspect::OperatorCoverage>& operators) {
  const bool json = request.format == "json";
  const bool csv = request.format == "csv";
  std::cout << (json ? "[" : csv ? "operator,way,where\n" : "");
  Table table({Align::left, Align::left, Align::left});
  table.add({"operator", "way", "where"});
  bool first = true;
  for (const auto& entry : operators) {
    const char* const way = inspect::coverage_name(entry.how);
    if (json) {
      std::cout << (first ? "\n" : ",\n") << "{\"operator\":\"" << entry.op << "\",\"way\":\"" << way
                << "\",\"where\":\"" << entry.where << "\"}";
    } else if (csv) {
      std::cout << entry.op << "," << way << "," << entry.where << "\n";
    } else {
      table.add({entry.op, way, entry.where});
    }
    first = false;
  }
  std::cout << (json ? "\n]\n" : csv ? "" : table.text(0));
}

void print_counts(const Request& request, const std::vector<inspect::OperatorCoverage>& operators) {
  const bool json = request.format == "json";
  std::cout << (json ? "{" : request.format == "csv" ? "way,operators\n" : "");
  Table table({Align::left, Align::right});
  table.add({"way", "operators"});
  const auto counts = inspect::count_coverage(operators);
  for (const auto& [how, count] : counts) {
    const char* const way = inspect::coverage_name(how);
    if (json) {
      std::cout << (how == counts.begin()->first ? "\"" : ",\"") << way << "\":" << count;
    } else if (request.format == "csv") {
      std::cout << way << "," << count << "\n";
    } else {
      table.add({way, std::to_string(count)});
    }
  }
  std::cout << (json ? "}\n" : request.format == "csv" ? "" : table.text(0));
}

[[noreturn]] void throw_nothing_matches(const Request& request) {
  std::string what = request.pattern.empty() ? "No operator" : "No operator whose name holds '" + request.pattern + "'";
  if (!request.ways.empty()) {
    for (const std::string& way : request.ways) {
      what += (way == request.ways.front() ? " runs the way '" : " or '") + way + "'";
    }
    TORCH_CHECK(false, what, ".");
  }
  std::string nearest;
  for (const std::string& name : dispatch::nearest_op_names(request.pattern)) {
    nearest += (nearest.empty() ? " Nearest: " : ", ") + name;
  }
  TORCH_CHECK(false, what, " is there.", nearest.empty() ? " `openreg_demo ops` lists them all" : nearest, ".");
}

void run_ops(const Request& request) {
  if (request.traps) {
    for (const auto& trap : inspect::find_traps()) {
      std::cout << trap.op << " " << trap.what << "\n";
    }
    return;
  }
  auto operators = inspect::operator_coverage();
  std::erase_if(operators, [&](const auto& entry) { return !wanted(request, entry); });
  if (operators.empty()) {
    throw_nothing_matches(request);
  }
  request.counts ? print_counts(request, operators) : print(request, operators);
}

void run_doctor() {
  bool well = true;
  for (const auto& finding : inspect::examine()) {
    std::cout << (finding.ok ? "ok    " : "FAILS ") << std::left << std::setw(15) << finding.what << " " << finding.text
              << "\n";
    well = well && finding.ok;
  }
  if (!well) {
    throw CLI::RuntimeError(1);
  }
}

}  // namespace

void add_inspect_commands(CLI::App& app) {
  const auto request = std::make_shared<Request>();
  CLI::App* const ops = app.add_subcommand("ops", "How each operator of the libtorch in use runs on the device");
  ops->add_option("pattern", request->pattern, "Only operators whose name holds this text");
  ops->add_option("--way", request->ways, "Only operators that run this way")
      ->allow_extra_args(false)
      ->check(CLI::IsMember(way_names()));
  ops->add_option("--format", request->format, "table, csv or json")
      ->capture_default_str()
      ->check(CLI::IsMember({"table", "csv", "json"}));
  ops->add_flag("--count", request->counts, "How many operators go each way");
  ops->add_flag("--traps", request->traps, "Registrations that do not do what they seem to do");
  ops->callback([request] {
    try {
      run_ops(*request);
    } catch (const c10::Error& error) {
      std::cerr << error.what_without_backtrace() << "\n";
      throw CLI::RuntimeError(1);
    }
  });
  app.add_subcommand("doctor", "Whether everything is in its place; status 1 if not")->callback(run_doctor);
}

}  // namespace openreg::demo
