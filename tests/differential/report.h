#pragma once

#include <ostream>
#include <vector>

#include "differential/child.h"
#include "differential/operators.h"

namespace openreg::differential {

struct Totals {
  int overloads = 0;
  int fed = 0;
  int fed_out = 0;       // of these: out= overloads
  int fed_in_place = 0;  // and in-place ones
  int differences = 0;   // overloads with one or more
  int crashes = 0;
};

Totals count(const std::vector<OperatorReport>& reports);

// A difference with how to repeat it.
void print_differences(std::ostream& out, const std::vector<OperatorReport>& reports, std::uint64_t seed);

// What was not fed and why: numbers by reason, then each.
void print_unfed(std::ostream& out, const std::vector<OperatorReport>& reports, const OperatorList& operators);

std::ostream& operator<<(std::ostream& out, const Totals& totals);

}  // namespace openreg::differential
