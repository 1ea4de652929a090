#pragma once

#include <openreg/fallback.h>

#include <string>
#include <vector>

namespace openreg::demo {

// "native 12, stub 1, explicit_fallback 30": calls by way, most direct way first. "none" when nothing ran.
std::string ways_line(const std::vector<LedgerEntry>& entries);

// A line for each way: calls, and which operators.
std::string ways_table(const std::vector<LedgerEntry>& entries, std::size_t indent);

}  // namespace openreg::demo
