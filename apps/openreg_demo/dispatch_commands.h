#pragma once

namespace CLI {
class App;
}

namespace openreg::demo {

// Adds `dispatch`: the questions of <openreg/dispatch.h> as subcommands, text or --json. `start`, if any, is called
// before a question is answered: it starts what registers kernels late.
void add_dispatch_commands(CLI::App& app, void (*start)() = nullptr);

}  // namespace openreg::demo
