#pragma once

#include <torch/library.h>

#include <span>
#include <string>
#include <vector>

#include "fallback/forwarding.h"

namespace openreg::ops {

// The tables of forwarded operators: those that small models call most, each with its CPU kernel called unboxed. They
// are registered at first use of the device, as the explicit set is and for its reason: an operator for which somebody
// has registered a kernel is left alone.
void register_forwarded_operators();

// The operators that were registered from the tables, as "aten::add.Tensor".
const std::vector<std::string>& forwarded_operators();

// For the tables' files.
void register_forwarded(torch::Library& library, std::span<const fallback::Forwarded> table);
void register_forwarded_pointwise();
void register_forwarded_network();
void register_forwarded_shape();

}  // namespace openreg::ops
