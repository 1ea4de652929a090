#include "cases.h"

namespace openreg::bench {

std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

}  // namespace openreg::bench
