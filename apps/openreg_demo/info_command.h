#pragma once

#include <CLI/CLI.hpp>

namespace openreg::demo {

// `info`: versions, devices, memory, environment.
void add_info_command(CLI::App& app);

}  // namespace openreg::demo
