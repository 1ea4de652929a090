#pragma once

namespace CLI {
class App;
}

namespace openreg::demo {

// Adds `info`: versions, devices, memory, environment.
void add_info_command(CLI::App& app);

}  // namespace openreg::demo
