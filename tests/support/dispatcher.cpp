#include "support/dispatcher.h"

#include <sstream>

namespace openreg::test {

c10::OperatorHandle find_operator(const std::string& name) {
  const auto dot = name.find('.');
  const auto overload = dot == std::string::npos ? "" : name.substr(dot + 1);
  return c10::Dispatcher::singleton().findSchemaOrThrow(name.substr(0, dot).c_str(), overload.c_str());
}

std::string device_kernel(const std::string& name) {
  std::istringstream table(find_operator(name).dumpComputedTable());
  const std::string key = "PrivateUse1: ";
  for (std::string line; std::getline(table, line);) {
    if (line.compare(0, key.size(), key) == 0) {
      return line.substr(key.size());
    }
  }
  return "";
}

}  // namespace openreg::test
