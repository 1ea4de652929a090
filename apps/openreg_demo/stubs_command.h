#pragma once

namespace CLI {
class App;
}

namespace openreg::demo {

// Adds `stubs`: the catalogue of <openreg/stubs.h>.
void add_stubs_command(CLI::App& app);

}  // namespace openreg::demo
