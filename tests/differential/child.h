#pragma once

#include <functional>
#include <string>
#include <vector>

#include "differential/examine.h"

namespace openreg::differential {

struct OperatorReport {
  std::string op;       // "aten::add.Tensor"
  std::string missing;  // as in Verdict; "not run: ..." when it was left out
  std::vector<Difference> differences;
  std::set<std::string> refused;
  int cpu_crashes = 0;  // samples on which the CPU's kernel ended the process
};

struct RunOptions {
  std::uint64_t seed = 1;
  int samples = 60;
  int only_sample = -1;
  std::function<void()> prepare;  // in each child before anything runs: plants faults
};

// Examines operators in child processes, forked before the device is used: a crash or an endless loop ends the child
// alone, becomes a difference of its operator (or is skipped, when the CPU's call was to blame), and the rest goes on.
std::vector<OperatorReport> examine_in_children(const std::vector<std::string>& operators, const RunOptions& options);

}  // namespace openreg::differential
