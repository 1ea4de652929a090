#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace openreg::bench {

// One thing to time. `make` builds its inputs and returns what is timed; for the CPU it may return nothing, then the
// case is of the device alone.
struct Case {
  std::string name;  // "add 1 Ki"
  std::function<std::function<void()>(bool on_device)> make;
  std::string group = "Others";  // the table that shows it
  std::string series = "";       // rows of one series are drawn as a curve over `size`
  double size = 0;
  double bytes = 0;  // that must be read and written whoever computes: their time is the limit of memory
  // What holds while the device's batches run, such as a ledger or a policy.
  std::function<std::shared_ptr<void>()> scope = nullptr;
  bool wall_time = false;      // several threads work: real time, not the calling thread's
  bool openreg_alone = false;  // staged and stock would measure nothing else
};

std::vector<Case>& cases();

}  // namespace openreg::bench
