#pragma once

#include <c10/core/DispatchKey.h>

namespace openreg::ops {

// The operators that every PrivateUse1 backend must have: factories, views, storage, copies. See minimal_table.cpp.
void register_minimal_operators();

// _copy_from and _copy_from_and_resize fall through at a key: Conjugate, Negative, ZeroTensor.
void register_copy_fallthrough(c10::DispatchKey key);

// _has_compatible_shallow_copy_type at one more key.
void register_shallow_copy_type(c10::DispatchKey key);

// Operators sent to the CPU one by one.
void register_selective_fallback();

}  // namespace openreg::ops
