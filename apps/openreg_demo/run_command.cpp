#include "run_command.h"

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>
#include <openreg/fallback.h>
#include <openreg/openreg.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>

#include "compare.h"
#include "error_text.h"
#include "model.h"
#include "model_inputs.h"
#include "text.h"
#include "values.h"
#include "ways.h"

namespace openreg::demo {
namespace {

struct RunOptions {
  std::string model;
  std::string device = "openreg";
  std::vector<std::string> inputs;
  std::int64_t seed = 0;
  double tolerance = 1e-5;
};

struct Run {
  c10::IValue output;
  double seconds = 0;
};

Run forward(torch::jit::Module& module, const std::vector<c10::IValue>& inputs, c10::Device device,
            std::int64_t seed) {
  // Models that draw numbers draw the same ones on both devices.
  at::manual_seed(static_cast<std::uint64_t>(seed));
  const auto start = std::chrono::steady_clock::now();
  Run run;
  try {
    run.output = module.forward(inputs);
    if (device.type() == at::kPrivateUse1) {
      synchronize(device.index());
    }
  } catch (const std::exception& error) {
    TORCH_CHECK(false, "forward failed on ", device, ": ", error_line(error));
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return run;
}

std::vector<c10::IValue> copied_to(const std::vector<c10::IValue>& values, c10::Device device) {
  std::vector<c10::IValue> copies;
  for (const auto& value : values) {
    copies.push_back(demo::copied_to(value, device));
  }
  return copies;
}

std::string joined_descriptions(const std::vector<c10::IValue>& values) {
  std::string text;
  for (const auto& value : values) {
    text += (text.empty() ? "" : ", ") + describe(value);
  }
  return text.empty() ? "none" : text;
}

void print_leaves(const std::vector<Leaf>& leaves) {
  Table table({Align::left, Align::left, Align::right, Align::left});
  table.add({"output", "type and shape", "largest difference", ""});
  for (const auto& leaf : leaves) {
    table.add({leaf.path, leaf.what, number_text(leaf.difference), leaf.ok() ? "ok" : "FAILED"});
  }
  std::cout << "\n" << table.text(0) << "\n";
}

// The verdict, and the exit status.
int judge(const std::vector<Leaf>& leaves, const RunOptions& options, const Style& style) {
  double largest = 0;
  const Leaf* failed = nullptr;
  for (const auto& leaf : leaves) {
    largest = std::max(largest, leaf.difference);
    failed = failed == nullptr && !leaf.ok() ? &leaf : failed;
  }
  if (failed != nullptr) {
    std::cout << style.red("FAILED") << "  " << failed->problem << std::endl;
    std::cerr << "openreg_demo: " << failed->problem << "\n";
    return 1;
  }
  std::cout << style.green("ok") << "  largest difference " << number_text(largest) << ", allowed "
            << number_text(options.tolerance) << "\n";
  return 0;
}

int run_model(const RunOptions& options) {
  const auto device = parse_device(options.device);
  const c10::DeviceGuard guard(device);
  const at::NoGradGuard no_grad;
  const ModelSource source(options.model);
  auto on_cpu = source.load(at::kCPU);
  auto on_device = source.load(device);
  check_on_device(on_device, device);

  at::manual_seed(static_cast<std::uint64_t>(options.seed));
  const auto command = "openreg_demo run" + (options.model.empty() ? "" : " " + options.model);
  const auto inputs = model_inputs(on_cpu, options.inputs, command);
  const auto device_inputs = copied_to(inputs, device);  // before a model may write to its inputs

  Table facts({Align::left, Align::left});
  facts.add({"model", source.name() + ": " + size_text(on_cpu)});
  facts.add({"method", forward_signature(on_cpu)});
  facts.add({"inputs", joined_descriptions(inputs)});
  facts.add({"device", device.str()});
  std::cout << facts.text(0) << std::flush;

  const auto cpu_run = forward(on_cpu, inputs, at::kCPU, options.seed);
  const LedgerScope ledger;
  const auto device_run = forward(on_device, device_inputs, device, options.seed);
  const auto entries = ledger.entries();

  const auto leaves = compare("output", cpu_run.output, device_run.output, {options.tolerance, device});
  print_leaves(leaves);
  Table results({Align::left, Align::left});
  results.add({"calls by way", ways_line(entries)});
  results.add({"time", "CPU " + seconds_text(cpu_run.seconds) + ", " + device.str() + " " +
                           seconds_text(device_run.seconds)});
  std::cout << results.text(0) << "\n";
  TORCH_CHECK(!entries.empty(), "no operator ran on ", device, ": the model computed elsewhere, or nothing at all.");
  return judge(leaves, options, Style::of_terminal(1));
}

}  // namespace

void add_run_command(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  auto* const command =
      app.add_subcommand("run", "Run a TorchScript model on the CPU and on the device, and compare the outputs");
  command->add_option("MODEL", options->model, "TorchScript file; without it, a small bundled model");
  command->add_option("--device", options->device, "openreg, or openreg:INDEX")->capture_default_str();
  command
      ->add_option("--input", options->inputs,
                   "An argument of forward; repeat it for the next. float:1x3x96x96, long:1x16:0..999, bool:4x4, int=16000, "
                   "float=0.5, bool=true, str=TEXT, none, or a file of saved tensors. Default: the model's own `example`")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  command->add_option("--seed", options->seed, "Seed of random inputs and of the model's own numbers")
      ->capture_default_str();
  command->add_option("--tolerance", options->tolerance, "Allowed difference: this times max(1, |the CPU's value|)")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->callback([options] {
    if (const int status = run_model(*options); status != 0) {
      throw CLI::RuntimeError(status);
    }
  });
}

}  // namespace openreg::demo
