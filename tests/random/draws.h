#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <string>

namespace openreg::test {

using OptionalGenerator = std::optional<at::Generator>;

// One call that draws, on the device given.
using Draws = std::map<std::string, std::function<at::Tensor(c10::Device, const OptionalGenerator&)>>;

const Draws& draws_with_generator();     // operators that take one
const Draws& draws_without_generator();  // operators that do not; the argument is ignored

}  // namespace openreg::test
