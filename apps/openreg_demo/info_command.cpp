#include "info_command.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <openreg/inspect.h>
#include <openreg/memory.h>
#include <openreg/openreg.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "text.h"

namespace openreg::demo {
namespace {

void print_versions() {
  Table table({Align::left, Align::left});
  table.add({"openreg", version()});
  table.add({"libtorch", libtorch_version()});
  table.add({"CPU kernels", at::get_cpu_capability()});
  table.add({"threads", std::to_string(at::get_num_threads())});
  std::cout << table.text(0) << "\n";
}

void print_devices() {
  Table table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::right});
  table.add({"device", "in tensors", "at most", "held", "at most", "blocks"});
  for (c10::DeviceIndex i = 0; i < device_count(); ++i) {
    const auto memory = memory_statistics(i);
    table.add({c10::get_privateuse1_backend() + ":" + std::to_string(i), bytes_text(memory.allocated),
               bytes_text(memory.peak_allocated), bytes_text(memory.reserved), bytes_text(memory.peak_reserved),
               std::to_string(memory.allocations - memory.frees)});
  }
  std::cout << table.text(0) << "\n";
}

void print_environment(const std::vector<inspect::Setting>& settings) {
  Table table({Align::left, Align::left, Align::left, Align::left});
  table.add({"variable", "in force", "", "meaning"});
  for (const auto& setting : settings) {
    table.add({setting.name, setting.value, setting.given ? "set" : "default", setting.meaning});
  }
  std::cout << table.text(0);
}

}  // namespace

void add_info_command(CLI::App& app) {
  app.add_subcommand("info", "Versions, devices and their memory, variables in the environment")->callback([] {
    const auto settings = inspect::settings();
    print_versions();
    if (!inspect::switched_off()) {
      print_devices();
    }
    print_environment(settings);
  });
}

}  // namespace openreg::demo
