#include "app.h"

#include <c10/util/Exception.h>
#include <openreg/inspect.h>
#include <openreg/openreg.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>

#include "dispatch_commands.h"
#include "error_text.h"
#include "info_command.h"
#include "inspect_commands.h"
#include "run_command.h"
#include "stubs_command.h"
#include "text.h"
#include "tour.h"
#include "trace_command.h"

namespace openreg::demo {
namespace {

constexpr const char* kProgram = "openreg_demo";

// The demo shows itself what fell back; who wants the warnings too says so in the environment.
void silence_fallbacks() { setenv("OPENREG_FALLBACK_WARN", "off", 0); }

// Some kernels are registered at first use of the device, and belong in the tables.
void start_device() {
  if (!inspect::switched_off()) {
    init();
  }
}

void add_commands(CLI::App& app) {
  add_run_command(app);
  add_dispatch_commands(app, &start_device);
  add_trace_command(app);
  add_stubs_command(app);
  add_inspect_commands(app);
  for (CLI::App* const command : app.get_subcommands([](CLI::App*) { return true; })) {
    command->preparse_callback([](std::size_t) { silence_fallbacks(); });
  }
  add_info_command(app);  // shows what holds for every program
}

int tour() {
  silence_fallbacks();
  return run_tour(std::cout, Style::of_terminal(1));
}

}  // namespace

int run_program(int argc, char** argv) {
  try {
    CLI::App app("openreg, a PrivateUse1 backend for libtorch. Without a command: a guided tour.", kProgram);
    app.set_version_flag("--version", std::string("openreg ") + version() + ", libtorch " + libtorch_version());
    app.require_subcommand(0, 1);
    add_commands(app);
    try {
      app.parse(argc, argv);
    } catch (const CLI::Error& error) {
      return app.exit(error);
    }
    const int status = app.get_subcommands().empty() ? tour() : 0;
    TORCH_CHECK(std::cout.flush(), "The output could not be written to its end.");
    return status;
  } catch (const std::exception& error) {
    std::cout.flush();
    std::cerr << kProgram << ": " << error_line(error) << "\n";
    return 1;
  }
}

}  // namespace openreg::demo
