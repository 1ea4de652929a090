#pragma once

#include <filesystem>
#include <vector>

#include "stub_headers.h"

namespace openreg::generator {

// Writes the table that src/stubs/catalogue/declared_stubs.h declares; leaves a file alone that says the same.
// Throws std::runtime_error when the file cannot be written.
void write_stub_table(const std::vector<DeclaredStub>& stubs, const std::filesystem::path& file);

}  // namespace openreg::generator
