#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>

// Facts about a tensor that are saved with it: small numbers with a name, such as the version of a layout that only the
// device knows. openreg itself needs none.
//
//   openreg::set_metadata(weight, {{"format", 29}});
//   torch::save(weight, "weight.pt");               // and openreg::metadata(...) of what is loaded has it again
//
// What is detached from a tensor or moved by set_data has a copy of them; results of operators have none. A tensor that
// is loaded onto another device loses them. libtorch 2.6 keeps what it would have to know of them to itself: its files
// have no metadata (docs/limits.md).
namespace openreg {

using Metadata = std::map<std::string, std::int64_t>;

// Replaces the metadata of a tensor on openreg; empty takes them away. Throws c10::Error when the tensor is undefined
// or on another device, or when a name is empty or has a '=' in it. As all changes of a tensor, not for use from
// several threads at once.
void set_metadata(const at::Tensor& tensor, Metadata metadata);

// Empty when none were set.
Metadata metadata(const at::Tensor& tensor);

}  // namespace openreg
