#pragma once

#include <string>

namespace openreg::bench {

// The most memory that a process holds while it adds two tensors of 64 MiB, on the CPU and on openreg. Each is a child,
// started as this program with the word "resident:cpu" or "resident:openreg".
void print_resident_memory();

bool is_resident_child(const std::string& word);

// The child's main: prints its peak in KiB.
int resident_child(const std::string& word);

}  // namespace openreg::bench
