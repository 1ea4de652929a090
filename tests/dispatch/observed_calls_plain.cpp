// The calls as libtorch's own observer sees them, with the keys that each must have.
#include <mutex>

#include <ATen/record_function.h>

#include "expected_keys.h"
#include "observed_calls.h"

namespace {

std::mutex mutex;
std::vector<std::string> lines;

std::unique_ptr<at::ObserverContext> observe(const at::RecordFunction& function) {
  const auto op = function.operator_name();
  const auto handle = op ? c10::Dispatcher::singleton().findSchema(*op) : std::nullopt;
  if (handle) {
    // A boxed call hands over the whole stack; the arguments are its top.
    const auto inputs = function.inputs();
    const std::size_t count = handle->schema().arguments().size();
    c10::DispatchKeySet keys;
    for (const c10::IValue& input : inputs.slice(inputs.size() - count, count)) {
      keys = keys | keys_in(input, false);
    }
    const std::lock_guard lock(mutex);
    lines.push_back(call_line(at::RecordFunction::currentThreadId(), c10::toString(*op), expected_keys(*op, keys)));
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> observed_calls(const std::function<void()>& work) {
  const auto handle =
      at::addGlobalCallback(at::RecordFunctionCallback(&observe).needsInputs(true).scopes({at::RecordScope::FUNCTION}));
  work();
  at::removeCallback(handle);
  return lines;
}
