#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace openreg::differential {

// The first element that differs, as text; "" when none does. Exact: to the bit. Else float and narrower within 1e-5,
// double within 1e-10, relative and absolute. Sizes and dtypes are the same.
std::string first_difference(const at::Tensor& cpu, const at::Tensor& device, bool exact);

// All of a tensor's storage as one tensor of its dtype.
at::Tensor whole_storage(const at::Tensor& tensor);

}  // namespace openreg::differential
