#include "differential/operators.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>

#include "differential/argument_maker.h"
#include "differential/exceptions.h"

namespace openreg::differential {

OperatorList operators_to_run() {
  OperatorList list;
  auto& dispatcher = c10::Dispatcher::singleton();
  for (const auto& name : dispatcher.getAllOpNames()) {
    const auto op = dispatcher.findSchema(name);
    if (name.name.compare(0, 6, "aten::") != 0 || !op.has_value()) continue;
    const auto full = name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
    auto reason = reason_to_skip(full);
    if (reason.empty()) reason = cannot_make(op->schema());
    if (reason.empty() && !op->hasComputedKernelForDispatchKey(c10::DispatchKey::CPU)) reason = "no CPU kernel";
    if (reason.empty()) {
      list.run.push_back(full);
    } else {
      list.left_out[full] = reason;
    }
  }
  std::sort(list.run.begin(), list.run.end());
  return list;
}

std::vector<std::string> shard_of(const std::vector<std::string>& operators, std::size_t index, std::size_t count) {
  std::vector<std::string> mine;
  for (auto i = index; i < operators.size(); i += count) mine.push_back(operators[i]);
  return mine;
}

}  // namespace openreg::differential
