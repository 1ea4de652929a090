#include "info_command.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <openreg/memory.h>
#include <openreg/openreg.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>

#include "text.h"

namespace openreg::demo {
namespace {

struct Variable {
  const char* name;
  const char* meaning;
};

constexpr Variable kVariables[] = {
    {"OPENREG_DEVICE_COUNT", "devices, 1 to 8 (2)"},
    {"OPENREG_MEMORY_LIMIT", "bytes a device may hand out (no limit)"},
    {"OPENREG_HOST_ACCESS", "how CPU kernels reach device memory: mapped, staged (mapped)"},
    {"OPENREG_FALLBACK", "global, selective, off, stock (global)"},
    {"OPENREG_FALLBACK_FORBID", "operators that never fall back (aten::abs,aten::abs.out)"},
    {"OPENREG_FALLBACK_ALLOW", "operators that may, when selective (none)"},
    {"OPENREG_FALLBACK_FORCE", "operators sent past their own kernel (none)"},
    {"OPENREG_FALLBACK_WARN", "tell of each fallback: off, once, always (once; off in openreg_demo)"},
    {"OPENREG_LOG_LEVEL", "off, error, warn, info, debug (off)"},
    {"OPENREG_DISABLE", "1: stay without the device (0)"},
};

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
    table.add({"openreg:" + std::to_string(i), bytes_text(memory.allocated), bytes_text(memory.peak_allocated),
               bytes_text(memory.reserved), bytes_text(memory.peak_reserved),
               std::to_string(memory.allocations - memory.frees)});
  }
  std::cout << table.text(0) << "\n";
}

void print_environment() {
  Table table({Align::left, Align::left, Align::left});
  table.add({"variable", "value", "meaning (default)"});
  for (const auto& [name, meaning] : kVariables) {
    const char* const value = std::getenv(name);
    table.add({name, value == nullptr ? "-" : value, meaning});
  }
  std::cout << table.text(0);
}

}  // namespace

void add_info_command(CLI::App& app) {
  app.add_subcommand("info", "Versions, devices and their memory, variables in the environment")->callback([] {
    init();
    print_versions();
    print_devices();
    print_environment();
  });
}

}  // namespace openreg::demo
