#pragma once

#include <string>

namespace openreg::demo {

enum class Access { read, write };

// What becomes of host code that reads or writes the byte at `address`: a forked child does it, and its end is
// reported, "killed by SIGSEGV" or "lived on". Throws c10::Error when no child can be made.
std::string fate_of_access(void* address, Access access);

}  // namespace openreg::demo
