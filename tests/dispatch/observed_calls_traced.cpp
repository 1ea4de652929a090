// The calls as the trace reports them.
#include <openreg/trace.h>

#include <ATen/core/dispatch/ObservedOperators.h>

#include "observed_calls.h"

std::vector<std::string> observed_calls(const std::function<void()>& work) {
  openreg::trace::Collector collector;
  work();
  std::vector<std::string> lines;
  for (const auto& event : collector.stop()) {
    const std::string op(event.op);
    const auto dot = op.find('.');
    const c10::OperatorName name(op.substr(0, dot), dot == std::string::npos ? "" : op.substr(dot + 1));
    const bool call = event.kind == openreg::trace::Kind::call || event.kind == openreg::trace::Kind::call_boxed;
    if (call && c10::ObservedOperators::isObserved(name)) {
      lines.push_back(call_line(event.thread, op, event.keys));
    }
  }
  return lines;
}
