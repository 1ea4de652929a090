#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace openreg::dispatch {

/// Up to three candidates that a person may have meant by `text`, best first; empty if none is near.
std::vector<std::string> nearest_names(std::string_view text, const std::vector<std::string>& candidates);

/// ` Nearest: a, b.`, or nothing without names: the tail of an error message.
std::string nearest_sentence(const std::vector<std::string>& names);

}  // namespace openreg::dispatch
