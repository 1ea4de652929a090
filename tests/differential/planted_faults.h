#pragma once

#include <string>
#include <vector>

namespace openreg::differential {

// A kernel that is wrong on purpose, for one operator: the tester must see it.
struct PlantedFault {
  std::string name;     // "offset ignored"
  std::string op;       // "aten::tanh"
  std::string symptom;  // part of what the tester says
  void (*plant)();      // in a child process, before the device is used
};

const std::vector<PlantedFault>& planted_faults();

}  // namespace openreg::differential
