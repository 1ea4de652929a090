#include "run_model.h"

#include <ATen/Context.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/GradMode.h>
#include <openreg/fallback.h>
#include <openreg/openreg.h>
#include <openreg/random.h>

#include <algorithm>
#include <chrono>
#include <iostream>

#include "compare.h"
#include "error_text.h"
#include "model.h"
#include "model_inputs.h"
#include "text.h"
#include "values.h"
#include "ways.h"

namespace openreg::demo {
namespace {

using Values = std::vector<c10::IValue>;

// A model on one device, with its inputs there.
struct Side {
  torch::jit::Module module;
  Values inputs;
  c10::Device device;
  double seconds = 0;  // of the last call

  c10::IValue forward(std::int64_t seed) {
    // A model that draws numbers draws the same ones on both sides.
    at::manual_seed(static_cast<std::uint64_t>(seed));
    manual_seed_all(static_cast<std::uint64_t>(seed));  // libtorch 2.6 seeds only the devices that it knows
    const auto start = std::chrono::steady_clock::now();
    c10::IValue output;
    try {
      output = module.forward(inputs);
      if (device.type() == at::kPrivateUse1) {
        synchronize(device.index());
      }
    } catch (const std::exception& error) {
      TORCH_CHECK(false, "forward failed on ", device, ": ", error_line(error));
    }
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return output;
  }
};

Values copied(const Values& values, c10::Device device) {
  Values copies;
  for (const auto& value : values) {
    copies.push_back(copied_to(value, device));
  }
  return copies;
}

std::string descriptions(const Values& values) {
  std::string text;
  for (const auto& value : values) {
    text += (text.empty() ? "" : ", ") + describe(value);
  }
  return text.empty() ? "none" : text;
}

void print_facts(const ModelSource& source, const Side& side) {
  Table table({Align::left, Align::left});
  table.add({"model", source.name() + ": " + size_text(side.module)});
  table.add({"method", forward_signature(side.module)});
  table.add({"inputs", descriptions(side.inputs)});
  table.add({"device", side.device.str()});
  std::cout << table.text(0) << std::flush;
}

void print_leaves(const std::vector<Leaf>& leaves) {
  Table table({Align::left, Align::left, Align::right, Align::left});
  table.add({"output", "type and shape", "largest difference", ""});
  for (const auto& leaf : leaves) {
    table.add({leaf.path, leaf.what, number_text(leaf.difference), leaf.ok() ? "ok" : "FAILED"});
  }
  std::cout << "\n" << table.text(0) << "\n";
}

void print_work(const std::vector<LedgerEntry>& entries, const Side& cpu, const Side& device, int repeat) {
  Table table({Align::left, Align::left});
  table.add({"calls by way", ways_line(entries)});
  table.add({repeat == 1 ? "first call" : "call " + std::to_string(repeat),
             "CPU " + seconds_text(cpu.seconds) + ", " + device.device.str() + " " + seconds_text(device.seconds)});
  std::cout << table.text(0) << "\n";
}

// The verdict, and the exit status.
int judge(const std::vector<Leaf>& leaves, double tolerance) {
  const auto style = Style::of_terminal(1);
  double largest = 0;
  for (const auto& leaf : leaves) {
    largest = std::max(largest, leaf.difference);
  }
  const auto failed = std::find_if(leaves.begin(), leaves.end(), [](const Leaf& leaf) { return !leaf.ok(); });
  if (failed != leaves.end()) {
    std::cout << style.red("FAILED") << "  " << failed->problem << std::endl;
    std::cerr << "openreg_demo: " << failed->problem << "\n";
    return 1;
  }
  std::cout << style.green("ok") << "  largest difference " << number_text(largest) << ", allowed "
            << number_text(tolerance) << "\n";
  return 0;
}

}  // namespace

int run_model(const RunOptions& options) {
  const auto device = parse_device(options.device);
  const c10::DeviceGuard guard(device);
  const c10::NoGradGuard no_grad;
  const ModelSource source(options.model);
  Side cpu{source.load(at::kCPU), {}, at::kCPU};
  Side there{source.load(device), {}, device};
  check_on_device(there.module, device);

  at::manual_seed(static_cast<std::uint64_t>(options.seed));
  const auto command = "openreg_demo run" + (options.model.empty() ? "" : " " + options.model);
  cpu.inputs = model_inputs(cpu.module, options.inputs, command);
  there.inputs = copied(cpu.inputs, device);
  print_facts(source, there);

  const LedgerScope ledger;
  std::vector<Leaf> leaves;
  for (int call = 1; call <= options.repeat; ++call) {
    const auto expected = cpu.forward(options.seed);
    const auto output = there.forward(options.seed);
    const auto path = options.repeat == 1 ? "output" : "output of call " + std::to_string(call);
    const auto compared = compare(path, expected, output, {options.tolerance, device});
    leaves.insert(leaves.end(), compared.begin(), compared.end());
  }
  const auto entries = ledger.entries();
  print_leaves(leaves);
  print_work(entries, cpu, there, options.repeat);
  TORCH_CHECK(!entries.empty(), "no operator ran on ", device, ": the model computed elsewhere, or nothing at all.");
  return judge(leaves, options.tolerance);
}

}  // namespace openreg::demo
