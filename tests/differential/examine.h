#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace openreg::differential {

// What a child process is doing, so that its parent can tell what a crash was.
enum class Phase : int { idle, cpu, device };

struct Plan {
  std::uint64_t seed = 1;
  int samples = 60;                      // at most; fewer when the overload is fed well before
  std::set<int> skip;                    // samples on which the CPU's own kernel crashes
  std::function<void(int, Phase)> note;  // told before each step
};

struct Difference {
  int sample = 0;
  std::vector<std::string> lines;
  std::string repeat;  // C++
};

struct Verdict {
  std::string missing;  // why the overload does not count as fed; "" when it does
  std::vector<Difference> differences;
  bool unsteady = false;          // the CPU leaves some of its results uninitialised: values were not compared
  std::set<std::string> refused;  // openreg says that it does not do this: first lines
};

// Runs one overload with many samples on both devices.
Verdict examine(const c10::OperatorHandle& op, const Plan& plan);

}  // namespace openreg::differential
