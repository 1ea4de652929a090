#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/core/Device.h>

#include <string>
#include <vector>

namespace openreg::demo {

// One tensor, number, string ... of a result, beside its twin from the CPU.
struct Leaf {
  std::string path;       // "output[0]['mask']"
  std::string what;       // "float [1, 10]"
  double difference = 0;  // the largest; infinite where NaN or infinity meets something else
  std::string problem;    // "" when equal; else what differs, where, and by how much

  bool ok() const { return problem.empty(); }
};

// How far a value may be from the CPU's: tolerance * max(1, |the CPU's value|). Integers and bools must be equal,
// NaN must meet NaN and an infinity the same infinity.
struct Comparison {
  double tolerance = 1e-5;
  c10::Device device;  // where each tensor of the result must be
};

// Compares leaf by leaf through tuples, lists, dicts and objects of a model's own classes. A difference in structure
// is one leaf with a problem.
std::vector<Leaf> compare(const std::string& path, const c10::IValue& from_cpu, const c10::IValue& from_device,
                          const Comparison& how);

}  // namespace openreg::demo
