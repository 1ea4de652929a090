#include "run_command.h"

#include <c10/core/DeviceType.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "run_model.h"

namespace openreg::demo {

void add_run_command(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  const std::string name = c10::get_privateuse1_backend();
  options->device = name;
  auto* const command =
      app.add_subcommand("run", "Run a TorchScript model on the CPU and on the device, and compare the outputs");
  command->add_option("MODEL", options->model, "TorchScript file; without it, a small bundled model");
  command->add_option("--device", options->device, name + ", or " + name + ":INDEX")->capture_default_str();
  command
      ->add_option("--input", options->inputs,
                   "An argument of forward; repeat it for the next. float:1x3x96x96, long:1x16:0..999, bool:4x4, "
                   "int=16000, float=0.5, bool=true, str=TEXT, none, or a file of saved tensors. Default: the model's "
                   "own `example`")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  command->add_option("--seed", options->seed, "Seed of random inputs and of the model's own numbers")
      ->capture_default_str();
  command->add_option("--tolerance", options->tolerance, "Allowed difference: this times max(1, |the CPU's value|)")
      ->check([](const std::string& text) {
        return CLI::NonNegativeNumber(text).empty() && std::isfinite(std::atof(text.c_str()))
                   ? ""
                   : "is " + text + "; allowed are finite numbers from 0";
      })
      ->capture_default_str();
  command->add_option("--repeat", options->repeat, "Calls of forward; each is compared, the last one is timed")
      ->check([](const std::string& text) {
        return CLI::PositiveNumber(text).empty() ? "" : "is " + text + "; allowed are whole numbers from 1";
      })
      ->capture_default_str();
  command->callback([options] {
    if (const int status = run_model(*options); status != 0) {
      throw CLI::RuntimeError(status);
    }
  });
}

}  // namespace openreg::demo
