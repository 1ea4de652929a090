#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

#include "cases.h"

namespace openreg::bench {

// Times one case on the CPU, on openreg and on openreg with libtorch's own copying fallback, in turn, and prints a
// row with the medians. Quotients within one row are what counts: the machine's speed drifts between rows.
class Comparison {
 public:
  explicit Comparison(int repetitions) : repetitions_(repetitions) {}

  void print_head() const;
  void run(const Case& one);

  // Rows whose time on openreg is above max(1.05 x CPU, CPU + 2 us).
  int over_limit() const { return over_limit_; }

 private:
  int repetitions_;
  int over_limit_ = 0;
};

}  // namespace openreg::bench
