#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "differential/call.h"

namespace openreg::differential {

// Whether an overload was fed: at least 3 shapes of 2 or more elements in 2 or more dimensions, 2 dtypes where it
// takes them, a strided tensor at an offset, and results that are neither empty nor all the same.
class Fed {
 public:
  // A call that gave results on both sides. `before` are its arguments as they were.
  void add(const torch::jit::Stack& before, const Call& call, at::ScalarType dtype);

  // A dtype that the CPU refused.
  void refused(at::ScalarType dtype) { refused_.insert(dtype); }

  bool enough() const { return missing().empty(); }

  // What is missing; "" when the overload counts.
  std::string missing() const;

  std::size_t calls() const { return calls_; }

 private:
  std::set<std::vector<std::int64_t>> shapes_;
  std::set<at::ScalarType> dtypes_;
  std::set<at::ScalarType> refused_;
  std::set<std::string> single_results_;
  bool takes_tensors_ = false;
  bool strided_ = false;
  bool varied_ = false;
  std::size_t calls_ = 0;
};

}  // namespace openreg::differential
