#pragma once

#include <string>
#include <vector>

#include "differential/call.h"

namespace openreg::differential {

struct CompareRules {
  bool values = true;     // false for operators whose results are not initialised
  bool own_way = false;   // goes_its_own_way: values within rounding, strides and sharing not compared
  bool both_cpu = false;  // the second call was made on the CPU too
  std::string op;
};

// What differs between a call on the CPU and the same on openreg: one line each, empty when nothing does. Compared are
// error, results (values, dtype, sizes, strides, offset, storage size, device), which of them share storage with which
// argument, and the arguments afterwards, with the bytes around them and their versions; also after an error.
std::vector<std::string> compare_calls(const Call& cpu, const Call& device, const CompareRules& rules);

}  // namespace openreg::differential
