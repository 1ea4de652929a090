#pragma once

#include <string>

namespace openreg::fallback {

// Whether the operator's kernel for PrivateUse1 is one of its own: a kernel that knows its argument types, as no
// fallback does.
bool has_native_kernel(const std::string& op);

// " Nearest with a kernel: 'aten::abs.out'.", or "" when no operator with a kernel of its own resembles the name.
std::string near_native_kernels(const std::string& name);

}  // namespace openreg::fallback
