#include <ATen/TensorOperators.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/atan2.h>
#include <ATen/ops/hardtanh.h>
#include <ATen/ops/linspace.h>
#include <openreg/fallback.h>

#include <functional>

#include "error_text.h"
#include "tour.h"

namespace openreg::demo {
namespace {

struct Pair {
  at::Tensor a = at::linspace(0, 1, 6);
  at::Tensor b = at::linspace(3, -2, 6);
};

std::uint64_t fallback_calls(const LedgerScope& ledger, const std::string& op) {
  return ledger.calls(op, Way::forwarded) + ledger.calls(op, Way::explicit_fallback) +
         ledger.calls(op, Way::global_fallback);
}

// The error that the operator throws, "" when it throws none.
std::string error_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const c10::Error& error) {
    return error_line(error);
  }
  return "";
}

void check_refused(Tour& tour, const std::string& error, const std::string& op) {
  tour.say("caught: " + error);
  const auto expected = "Operator '" + op + "' is not implemented for device openreg.";
  tour.check(error.compare(0, expected.size(), expected) == 0, "The operator is refused by name.",
             error.empty() ? "nothing was thrown" : "expected: " + expected);
}

}  // namespace

void step_selective_fallback(Tour& tour) {
  tour.say("m.impl(\"sub.Tensor\", ...) registers the fallback by name: the CPU kernel works on device memory.");
  const Pair cpu;
  const at::Tensor a = cpu.a.to("openreg");
  const at::Tensor b = cpu.b.to("openreg");
  const LedgerScope ledger;
  OPENREG_DEMO_SHOW(tour, const at::Tensor y = a - b);
  tour.check(fallback_calls(ledger, "aten::sub.Tensor") == 1,
             "The ledger has one call of aten::sub.Tensor by fallback.");
  tour.check_equal("y", cpu.a - cpu.b, y);
}

void step_global_fallback(Tour& tour) {
  tour.say(
      "m.fallback(...) covers what has no kernel, as hardtanh. Operators that also have a composite kernel, as atan2, "
      "would take that one: for them the library registers the fallback by name when the device starts. The operators "
      "that models call most, as add, are forwarded: the same, without the boxing of arguments.");
  const Pair cpu;
  const at::Tensor a = cpu.a.to("openreg");
  const at::Tensor b = cpu.b.to("openreg");
  const LedgerScope ledger;
  OPENREG_DEMO_SHOW(tour, const at::Tensor y = at::hardtanh(at::atan2(a, b) + b));
  tour.check(ledger.calls("aten::atan2", Way::explicit_fallback) == 1 &&
                 ledger.calls("aten::hardtanh", Way::global_fallback) == 1,
             "The ledger has one call each of aten::atan2 and aten::hardtanh by fallback.");
  tour.check(fallback_calls(ledger, "aten::add.Tensor") == 1, "It has one call of aten::add.Tensor, forwarded.");
  tour.check(y.device() == a.device(), "The result is on the device.");
  tour.check_equal("y", at::hardtanh(at::atan2(cpu.a, cpu.b) + cpu.b), y);
}

void step_forbidden(Tour& tour) {
  tour.say(
      "Operators on the forbid list never fall back: aten::abs and aten::abs.out. The policy sends abs "
      "past its kernel, into the fallback:");
  const at::Tensor x = Pair().b.to("openreg");
  FallbackPolicy policy;
  policy.force = {"aten::abs.out"};
  std::string error;
  {
    OPENREG_DEMO_SHOW(tour, const openreg::FallbackPolicyScope scope(policy));
    tour.code("at::abs(x);");
    error = error_of([&] { at::abs(x); });
  }
  check_refused(tour, error, "aten::abs.out");
}

void step_fallback_off(Tour& tour) {
  const Pair cpu;
  const at::Tensor a = cpu.a.to("openreg");
  const at::Tensor b = cpu.b.to("openreg");
  FallbackPolicy policy;
  OPENREG_DEMO_SHOW(tour, policy.mode = openreg::FallbackMode::off);
  std::string error;
  at::Tensor y;
  {
    OPENREG_DEMO_SHOW(tour, const openreg::FallbackPolicyScope scope(policy));
    OPENREG_DEMO_SHOW(tour, y = a - b);
    tour.code("a + b;");
    error = error_of([&] { a + b; });
  }
  tour.check_equal("y, since sub is registered by name,", cpu.a - cpu.b, y);
  check_refused(tour, error, "aten::add.Tensor");
  tour.check_equal("a + b, with the old policy again,", cpu.a + cpu.b, a + b);
}

}  // namespace openreg::demo
