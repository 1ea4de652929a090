#pragma once

#include <string>
#include <vector>

namespace openreg::fallback {

// The known names that resemble `name`, the nearest first.
std::vector<std::string> by_distance(const std::string& name, const std::vector<std::string>& known);

// " (did you mean 'a', 'b' or 'c'?)" with the known names nearest to `name`, or "" when none is near.
std::string near_names(const std::string& name, const std::vector<std::string>& known);

}  // namespace openreg::fallback
