#pragma once

#include <string>
#include <vector>

namespace openreg::fallback {

// " (did you mean 'a', 'b' or 'c'?)" with the known names nearest to `name`, or "" when none is near.
std::string near_names(const std::string& name, const std::vector<std::string>& known);

}  // namespace openreg::fallback
