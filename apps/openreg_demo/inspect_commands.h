#pragma once

namespace CLI {
class App;
}

namespace openreg::demo {

// Adds `ops`, how each operator runs on openreg, and `doctor`, whether everything is in its place (status 1 if not).
void add_inspect_commands(CLI::App& app);

}  // namespace openreg::demo
