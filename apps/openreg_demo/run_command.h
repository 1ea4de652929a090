#pragma once

namespace CLI {
class App;
}

namespace openreg::demo {

// Adds `run [MODEL.pt]`: a TorchScript model on the CPU and on the device, compared.
void add_run_command(CLI::App& app);

}  // namespace openreg::demo
