#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "operator_headers.h"

namespace openreg::generator {

/// Writes `hooks_00.cpp` ... with a call and a redispatch for each operator, and `hook_table.cpp` with their names and
/// the symbols of the originals. Files whose text would not change are left alone.
/// @throws std::runtime_error for a parameter type that the writer does not know, or a symbol that is not exported.
void write_sources(const std::vector<Operator>& operators, const std::vector<std::string>& symbols,
                   const std::filesystem::path& folder, std::size_t parts);

}  // namespace openreg::generator
