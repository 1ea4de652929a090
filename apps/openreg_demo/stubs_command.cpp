#include "stubs_command.h"

#include <c10/util/Exception.h>
#include <openreg/stubs.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "text.h"

namespace openreg::demo {
namespace {

struct Wanted {
  std::vector<std::string> names;
  bool headers = false;
  bool filled = false;
};

std::string joined(const std::vector<std::string>& words, std::size_t most) {
  std::string result;
  for (std::size_t i = 0; i < std::min(most, words.size()); ++i) {
    result += (i == 0 ? "" : ", ") + words[i];
  }
  return words.size() > most ? result + " ..." : result;
}

void print_headers() {
  for (const auto& header : stub_headers()) {
    std::cout << header << "\n";
  }
}

void print_one(const Stub& stub) {
  std::cout << stub.name << "\n";
  Table table({Align::left, Align::left});
  table.add({"header", stub.header});
  table.add({"signature", stub.signature});
  table.add({"PrivateUse1", slot_name(stub.slot)});
  table.add({"operators", stub.operators.empty() ? "the name does not tell" : joined(stub.operators, 100)});
  table.add({"with a kernel", stub.native_operators.empty() ? "none" : joined(stub.native_operators, 100)});
  if (const auto remark = stub_remark(stub); !remark.empty()) table.add({"remark", remark});
  std::cout << table.text(2);
}

void print_named(const std::vector<Stub>& stubs, const std::string& name) {
  bool found = false;
  for (const auto& stub : stubs) {
    if (stub.name == name || stub.name == name + "_stub") {
      print_one(stub);
      found = true;
    }
  }
  TORCH_CHECK(found, "libtorch declares no stub '", name, "'; `openreg_demo stubs` lists them.");
}

void print_table(const std::vector<Stub>& stubs, bool only_filled) {
  Table table({Align::left, Align::left, Align::left, Align::left});
  std::size_t filled = 0;
  for (const auto& stub : stubs) {
    filled += stub.slot == StubSlot::filled ? 1 : 0;
    if (!only_filled || stub.slot == StubSlot::filled) {
      const auto remark = stub_remark(stub);
      table.add({stub.name, slot_name(stub.slot), stub.header,
                 joined(stub.operators, 3) + (remark.empty() ? "" : " (" + remark + ")")});
    }
  }
  std::cout << table.text(0);
  std::cout << plural(stubs.size(), "stub") << " in " << plural(stub_headers().size(), "header") << ", " << filled
            << " filled for PrivateUse1\n";
}

void run(const Wanted& wanted) {
  if (wanted.headers) {
    print_headers();
    return;
  }
  const auto stubs = stub_catalogue();
  if (wanted.names.empty()) {
    print_table(stubs, wanted.filled);
  }
  for (const auto& name : wanted.names) {
    print_named(stubs, name);
  }
}

}  // namespace

void add_stubs_command(CLI::App& app) {
  const auto wanted = std::make_shared<Wanted>();
  CLI::App* const command = app.add_subcommand("stubs", "Where kernels can be put behind libtorch's own operators");
  command->add_option("stub", wanted->names, "Show all there is to say of these, as abs_stub or abs");
  command->add_flag("--headers", wanted->headers, "Only the headers that declare stubs, one a line");
  command->add_flag("--filled", wanted->filled, "Only stubs that have a kernel for PrivateUse1");
  command->callback([wanted] { run(*wanted); });
}

}  // namespace openreg::demo
