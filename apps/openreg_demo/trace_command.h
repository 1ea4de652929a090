#pragma once

namespace CLI {
class App;
}

namespace openreg::demo {

// Adds `trace`: runs one operator or a TorchScript model and shows its way through the dispatcher.
void add_trace_command(CLI::App& app);

}  // namespace openreg::demo
