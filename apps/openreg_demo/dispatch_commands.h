#pragma once

namespace CLI {
class App;
}

namespace openreg::demo {

// Adds `dispatch`: the questions of <openreg/dispatch.h> as subcommands, text or --json.
void add_dispatch_commands(CLI::App& app);

}  // namespace openreg::demo
