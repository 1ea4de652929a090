#pragma once

#include <functional>
#include <string>
#include <vector>

namespace openreg::bench {

// One thing to time in each of the three ways. `make` builds its inputs on a device and returns what is timed.
struct Case {
  std::string name;  // "add 1 Ki"
  std::function<std::function<void()>(bool on_device)> make;
};

std::vector<Case>& cases();

}  // namespace openreg::bench
