#pragma once

#include <map>
#include <string>
#include <vector>

namespace openreg::stubs {

// Finds the aten operators that end in a stub, by its name.
class OperatorsOfStub {
 public:
  // Reads the dispatcher's list of operators, as it is now.
  OperatorsOfStub();

  // "abs_stub" -> "aten::abs", "aten::abs.out", "aten::abs_"
  std::vector<std::string> find(const std::string& stub) const;

 private:
  std::map<std::string, std::vector<std::string>> overloads_;  // "abs" -> "aten::abs", "aten::abs.out"
};

}  // namespace openreg::stubs
