#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/zeros.h>
#include <openreg/fallback.h>

#include <sstream>

#include "tour.h"

namespace openreg::demo {
namespace {

// The line of the dispatcher's own table: "src/registration.cpp:81 [kernel]", its path cut to the end.
std::string kernel_at_private_use1(const char* name, const char* overload) {
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow(name, overload);
  std::istringstream table(op.dumpComputedTable());
  const std::string key = "PrivateUse1: registered at ";
  for (std::string line; std::getline(table, line);) {
    if (line.compare(0, key.size(), key) == 0) {
      const auto source = line.rfind("/src/");
      return line.substr(source == std::string::npos ? key.size() : source + 1);
    }
  }
  return "none";
}

}  // namespace

void step_own_operators(Tour& tour) {
  tour.say(
      "A backend must make, move and view tensors itself: thirteen operators. What the dispatcher has at "
      "PrivateUse1, for three of them and for one that only the fallback serves:");
  Table table({Align::left, Align::left});
  for (const char* const name : {"aten::empty.memory_format", "aten::_copy_from", "aten::view", "aten::relu"}) {
    const std::string full = name;
    const auto dot = full.find('.');
    table.add({full, kernel_at_private_use1(full.substr(0, dot).c_str(),
                                            dot == std::string::npos ? "" : full.substr(dot + 1).c_str())});
  }
  tour.block(table.text(0));
  const at::Tensor on_cpu = at::linspace(-1, 1, 6).reshape({2, 3});
  const LedgerScope ledger;
  OPENREG_DEMO_SHOW(tour, const at::Tensor x = on_cpu.to("openreg").t());
  tour.check(ledger.calls("aten::empty_strided", Way::native) > 0 && ledger.calls("aten::_copy_from", Way::native) > 0,
             "The tensor was made and filled by kernels of our own.");
  tour.check_equal("x", on_cpu.t(), x);
}

void step_views(Tour& tour) {
  const at::Tensor on_cpu = at::zeros({2, 4});
  on_cpu.view({4, 2}).select(1, 0).fill_(7);
  OPENREG_DEMO_SHOW(tour, const at::Tensor x = at::zeros({2, 4}, at::Device("openreg")));
  OPENREG_DEMO_SHOW(tour, const at::Tensor view = x.view({4, 2}).select(1, 0));
  OPENREG_DEMO_SHOW(tour, view.fill_(7));
  tour.check(view.is_alias_of(x) && view.data_ptr() == x.data_ptr(), "The view has x's memory, not a copy.");
  tour.check_equal("x, written through the view,", on_cpu, x);
}

void step_stub(Tour& tour) {
  tour.say("aten::abs.out calls libtorch's abs_stub, whose PrivateUse1 slot holds a kernel of ours.");
  const at::Tensor on_cpu = at::linspace(-1, 1, 8);
  const at::Tensor x = on_cpu.to("openreg");
  const LedgerScope ledger;
  OPENREG_DEMO_SHOW(tour, const at::Tensor y = at::abs(x));
  const auto calls = ledger.calls("aten::abs.out", Way::stub);
  tour.check(calls == 1, "The ledger has one call of aten::abs.out by the way 'stub'.",
             "calls by that way: " + std::to_string(calls));
  tour.check_equal("y", on_cpu.abs(), y);
}

void step_custom_operator(Tour& tour) {
  tour.say("openreg::custom_abs(Tensor input) -> Tensor is no operator of libtorch's: the library defines it.");
  const at::Tensor on_cpu = at::linspace(-2, 2, 5);
  const at::Tensor x = on_cpu.to("openreg");
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("openreg::custom_abs", "");
  const auto custom_abs = op.typed<at::Tensor(const at::Tensor&)>();
  OPENREG_DEMO_SHOW(tour, const at::Tensor y = custom_abs.call(x));
  tour.check_equal("y", on_cpu.abs(), y);
}

}  // namespace openreg::demo
