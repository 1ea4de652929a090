#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "differential/report.h"

// differential_tests                      all tests, with gtest's own options
// differential_tests --op NAME [--sample N]   one operator, or all overloads of a name; prints every difference
// differential_tests --all [--shard I/N]  every operator; --unfed also lists what could not be fed, and why
// Both take --seed N and --samples N (tried for each overload, at most).
namespace {

using namespace openreg::differential;

struct CommandLine {
  bool all = false;
  bool unfed = false;
  std::string op;
  std::size_t shard = 0;
  std::size_t shards = 1;
  RunOptions run;
};

CommandLine parse(int argc, char** argv) {
  CommandLine line;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::string next = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--all") line.all = true;
    if (word == "--unfed") line.unfed = true;
    if (word == "--op") line.op = next;
    if (word == "--seed") line.run.seed = std::stoull(next);
    if (word == "--samples") line.run.samples = std::stoi(next);
    if (word == "--sample") line.run.only_sample = std::stoi(next);
    if (word == "--shard") {
      line.shard = std::stoul(next);
      line.shards = std::stoul(next.substr(next.find('/') + 1));
    }
  }
  return line;
}

int run(const CommandLine& line) {
  const auto operators = operators_to_run();
  std::vector<std::string> chosen;
  for (const auto& name : operators.run) {
    const auto plain = name.substr(0, name.find('.'));
    if (line.op.empty() || name == line.op || plain == line.op || plain == "aten::" + line.op ||
        name == "aten::" + line.op) {
      chosen.push_back(name);
    }
  }
  const auto reports = examine_in_children(shard_of(chosen, line.shard, line.shards), line.run);
  print_differences(std::cout, reports, line.run.seed);
  if (line.unfed) print_unfed(std::cout, reports, operators);
  if (!line.op.empty()) {
    for (const auto& report : reports) {
      std::cout << report.op << ": " << (report.missing.empty() ? "fed" : report.missing) << "\n";
      for (const auto& text : report.refused) std::cout << "  refused: " << text << "\n";
    }
  }
  const auto totals = count(reports);
  std::cout << totals << "\n";
  return totals.differences == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  setenv("OPENREG_FALLBACK_WARN", "off", 1);  // other warnings are compared
  const auto line = parse(argc, argv);
  return line.all || !line.op.empty() ? run(line) : RUN_ALL_TESTS();
}
