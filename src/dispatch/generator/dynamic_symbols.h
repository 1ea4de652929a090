#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace openreg::generator {

/// The names of the functions that a shared library exports, sorted.
/// @throws std::runtime_error if the file is not a 64-bit ELF library with a dynamic symbol table.
std::vector<std::string> exported_functions(const std::filesystem::path& library);

/// The only exported name that begins with `prefix` and contains `part`.
/// @throws std::runtime_error if there is none, or more than one.
std::string only_symbol(const std::vector<std::string>& symbols, const std::string& prefix,
                        const std::string& part = "", const std::string& without = "\n");

}  // namespace openreg::generator
