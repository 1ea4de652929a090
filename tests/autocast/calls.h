#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <string>

// One call of each operator in autocast's lists.
namespace openreg::test {

// Makes the floating arguments of one call on openreg: the same values each time, rounded to one dtype and given in
// another.
class Inputs {
 public:
  Inputs(at::ScalarType rounded_to, at::ScalarType dtype) : rounded_to_(rounded_to), dtype_(dtype) {}

  // Values between 0.1 and 0.9.
  at::Tensor operator()(at::IntArrayRef sizes);

  // The next argument alone has another dtype.
  Inputs& next_in(at::ScalarType dtype);

 private:
  at::ScalarType rounded_to_;
  at::ScalarType dtype_;
  std::optional<at::ScalarType> next_;
  std::uint64_t count_ = 0;
};

using Calls = std::map<std::string, std::function<at::Tensor(Inputs&)>>;

const Calls& lower_precision_calls();
const Calls& float_calls();
const Calls& float_result_calls();  // also those to which a dtype is appended
const Calls& widest_calls();

}  // namespace openreg::test
