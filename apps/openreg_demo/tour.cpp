#include "tour.h"

#include <openreg/fallback.h>
#include <openreg/openreg.h>

#include <ostream>
#include <sstream>

#include "compare_tensors.h"
#include "error_text.h"
#include "ways.h"

namespace openreg::demo {
namespace {

constexpr const char* kIndent = "    ";
constexpr std::size_t kWidth = 92;

struct NamedStep {
  const char* title;
  Tour::Step step;
};

constexpr NamedStep kSteps[] = {
    {"The devices", step_devices},
    {"A tensor and its dispatch keys", step_dispatch_keys},
    {"Operators with a kernel of our own", step_own_operators},
    {"A view is a view", step_views},
    {"abs: a kernel behind a STUB", step_stub},
    {"sub: the fallback, selected for one operator", step_selective_fallback},
    {"add: the fallback for every other operator", step_global_fallback},
    {"abs, forbidden to fall back", step_forbidden},
    {"The fallback, switched off", step_fallback_off},
    {"An operator of our own making", step_custom_operator},
    {"A small network, beside the CPU", step_network},
    {"Host code that touches device memory", step_isolation},
};

// The closing step: what the whole tour ran.
void show_ledger(Tour& tour, const LedgerScope& ledger) {
  const auto entries = ledger.entries();
  tour.block(ways_table(entries, 0));
  bool seen[5] = {};
  for (const auto& entry : entries) {
    seen[static_cast<std::size_t>(entry.way)] = true;
  }
  tour.check(seen[0] && seen[1] && (seen[2] || seen[3] || seen[4]),
             "Kernels of our own, stubs and CPU kernels all ran.", ways_line(entries));
}

}  // namespace

void Tour::run(const char* title, Step step) {
  title_ = std::to_string(++steps_) + " " + title;
  out_ << "\n" << style_.bold((steps_ < 10 ? " " : "") + title_) << "\n";
  if (step == nullptr) {
    return;
  }
  try {
    step(*this);
  } catch (const std::exception& error) {
    check(false, "The step runs to its end.", error_line(error));
  }
}

void Tour::say(const std::string& text) { block(wrapped(text, kWidth)); }

void Tour::block(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    out_ << (line.empty() ? "" : kIndent + line) << "\n";
  }
}

void Tour::code(const std::string& text) { out_ << kIndent << "  " << style_.dim(text) << "\n"; }

void Tour::check(bool ok, const std::string& claim, const std::string& found) {
  ++checks_;
  out_ << kIndent << (ok ? style_.green("ok      ") : style_.red("FAILED  ")) << claim << "\n";
  if (!ok) {
    failed_.push_back(title_ + ": " + claim);
    if (!found.empty()) {
      out_ << kIndent << "        " << found << "\n";
    }
  }
  out_.flush();
}

void Tour::check_equal(const std::string& name, const at::Tensor& from_cpu, const at::Tensor& from_device,
                       double tolerance) {
  const auto leaf = compare_tensors(name, from_cpu, from_device, {tolerance, from_device.device()});
  check(
      leaf.ok(),
      name + " equals the CPU's" +
          (leaf.difference == 0 ? ", to the last bit." : ": largest difference " + number_text(leaf.difference) + "."),
      leaf.problem);
}

int Tour::finish() {
  out_ << "\n";
  if (failed_.empty()) {
    out_ << style_.green("ok") << "  " << plural(static_cast<std::size_t>(steps_), "step") << ", "
         << plural(static_cast<std::size_t>(checks_), "check") << ", none failed.\n"
         << "    Next: openreg_demo run MODEL.pt compares a TorchScript model of yours; openreg_demo --help lists "
            "more.\n";
    return 0;
  }
  out_ << style_.red("FAILED") << "  " << failed_.size() << " of " << plural(static_cast<std::size_t>(checks_), "check")
       << ":\n";
  for (const auto& claim : failed_) {
    out_ << kIndent << claim << "\n";
  }
  return 1;
}

int run_tour(std::ostream& out, Style style) {
  init();
  out << style.bold(std::string("openreg ") + version() + ", on libtorch " + libtorch_version()) << "\n\n"
      << "A simulated accelerator behind libtorch's device type PrivateUse1. This tour shows how operators\n"
         "reach it. Each step runs on the device and on the CPU, and compares.\n";
  Tour tour(out, style);
  const LedgerScope ledger;
  for (const auto& [title, step] : kSteps) {
    tour.run(title, step);
  }
  tour.run("What ran which way, from the ledger", nullptr);
  show_ledger(tour, ledger);
  return tour.finish();
}

}  // namespace openreg::demo
