#include <ATen/core/Tensor.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/ones.h>
#include <openreg/dispatch.h>
#include <openreg/inspect.h>
#include <openreg/openreg.h>
#include <openreg/trace.h>

#include <cstdio>

// The device and all tools in one program.
int main() {
  int wrong = 0;
  for (const auto& finding : openreg::inspect::examine()) {
    std::printf("%s %s: %s\n", finding.ok ? "ok" : "FAILS", finding.what.c_str(), finding.text.c_str());
    wrong += finding.ok ? 0 : 1;
  }
  for (const auto& entry : openreg::inspect::operator_coverage()) {
    if (entry.op == "aten::abs.out") std::printf("abs.out: %s\n", openreg::inspect::coverage_name(entry.how));
  }
  const auto x = at::ones({2}, openreg::parse_device("openreg"));
  openreg::trace::Collector collector;
  at::abs(x);
  for (const auto& event : collector.stop()) std::puts(openreg::trace::line(event).c_str());
  return wrong;
}
