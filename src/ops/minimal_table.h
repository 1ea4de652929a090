#pragma once

#include <torch/library.h>

namespace openreg::ops {

// The operators that every PrivateUse1 backend must have: factories, views, storage, copies. See minimal_table.cpp.
void register_minimal_operators(torch::Library& aten);

// _copy_from and _copy_from_and_resize fall through at Conjugate, Negative and ZeroTensor.
void register_copy_fallthrough(torch::Library& aten);

// _has_compatible_shallow_copy_type alone, for a second key.
void register_shallow_copy_type(torch::Library& aten);

// Operators sent to the CPU one by one.
void register_selective_fallback(torch::Library& aten);

}  // namespace openreg::ops
