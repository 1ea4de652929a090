#include "expected_keys.h"

#include <map>
#include <mutex>
#include <set>
#include <sstream>

#include <c10/core/impl/LocalDispatchKeySet.h>

namespace {

// The keys that the operator's dispatch table prints as fallthrough.
const std::set<std::string>& fallthroughs(const c10::OperatorName& name) {
  static std::mutex mutex;
  static std::map<std::string, std::set<std::string>> known;
  const std::lock_guard lock(mutex);
  auto [entry, added] = known.try_emplace(c10::toString(name));
  if (added) {
    std::istringstream table(c10::Dispatcher::singleton().findOp(name)->dumpComputedTable());
    for (std::string line; std::getline(table, line);) {
      const auto colon = line.find(": ");
      if (line.compare(colon + 2, 11, "fallthrough") == 0) {
        entry->second.insert(line.substr(0, colon));
      }
    }
  }
  return entry->second;
}

}  // namespace

c10::DispatchKeySet keys_in(const c10::IValue& value, bool with_generators) {
  if (value.isTensor()) {
    return value.toTensor().key_set();
  }
  if (value.isGenerator()) {
    return with_generators && value.toGenerator().defined() ? value.toGenerator().key_set() : c10::DispatchKeySet();
  }
  c10::DispatchKeySet keys;
  if (value.isList()) {
    for (const c10::IValue& element : value.toListRef()) {
      keys = keys | (element.isTensor() ? element.toTensor().key_set() : c10::DispatchKeySet());
    }
  }
  return keys;
}

c10::DispatchKeySet expected_keys(const c10::OperatorName& op, c10::DispatchKeySet arguments) {
  const auto local = c10::impl::tls_local_dispatch_key_set();
  c10::DispatchKeySet candidates = (arguments | local.included_) - local.excluded_;
  const auto& skipped = fallthroughs(op);
  const auto backends = c10::DispatchKeySet(c10::DispatchKeySet::RAW, candidates.raw_repr() & c10::full_backend_mask);
  const auto best = backends.highestBackendKey();
  std::uint64_t bits = candidates.raw_repr();
  for (const c10::DispatchKey key : candidates) {
    // With several backends in the set, the highest of them decides for the functionalities of all.
    const auto functionality = c10::toFunctionalityKey(key);
    if (c10::isPerBackendFunctionalityKey(functionality) && c10::toBackendComponent(key) != best) {
      continue;
    }
    if (skipped.count(c10::toString(key)) == 1) {
      bits &= ~(std::uint64_t{1} << (static_cast<unsigned>(functionality) + c10::num_backends - 1U));
    }
  }
  return c10::DispatchKeySet(c10::DispatchKeySet::RAW, bits);
}
