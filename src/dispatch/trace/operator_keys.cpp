#include "operator_keys.h"

#include <array>
#include <type_traits>

#include <ATen/core/dispatch/DispatchKeyExtractor.h>

namespace openreg::trace::detail {

// Note [The operator's own extractor]
// The keys that an operator skips are known to its DispatchKeyExtractor alone, and they change when somebody registers
// a fallthrough later. libtorch 2.14 hands it out; in 2.6 it is private. Naming a private member is allowed in an
// explicit instantiation, so the functions below are defined there, for the very member that libtorch's own call reads.
const c10::DispatchKeyExtractor& extractor_of(const c10::OperatorHandle& op);
bool differs_per_backend(const c10::DispatchKeyExtractor& extractor);
c10::DispatchKeySet skipped_nowhere(const c10::DispatchKeyExtractor& extractor);
c10::DispatchKeySet skipped_nowhere_on(const c10::DispatchKeyExtractor& extractor, std::size_t backend);

template <auto Definition>
struct ReachExtractor {
  friend const c10::DispatchKeyExtractor& extractor_of(const c10::OperatorHandle& op) {
    return (op.*Definition)->op.dispatchKeyExtractor();
  }
};
template struct ReachExtractor<&c10::OperatorHandle::operatorDef_>;

template <auto Flag, auto Keys, auto KeysPerBackend>
struct ReachKeys {
  friend bool differs_per_backend(const c10::DispatchKeyExtractor& extractor) { return extractor.*Flag; }
  friend c10::DispatchKeySet skipped_nowhere(const c10::DispatchKeyExtractor& extractor) { return extractor.*Keys; }
  friend c10::DispatchKeySet skipped_nowhere_on(const c10::DispatchKeyExtractor& extractor, std::size_t backend) {
    return (extractor.*KeysPerBackend)[backend];
  }
};
template struct ReachKeys<&c10::DispatchKeyExtractor::requiresBitsetPerBackend_,
                          &c10::DispatchKeyExtractor::nonFallthroughKeys_,
                          &c10::DispatchKeyExtractor::nonFallthroughKeysPerBackend_>;

namespace {

// A template, so that the branch for the other libtorch is never looked at.
template <typename Extractor>
c10::DispatchKeySet dispatch_keys(const Extractor& extractor, c10::DispatchKeySet arguments) {
  if constexpr (requires { extractor.getDispatchKeySetFromRawDispatchKeySet(arguments); }) {
    return extractor.getDispatchKeySetFromRawDispatchKeySet(arguments);
  } else {
    const auto local = c10::impl::tls_local_dispatch_key_set();
    const auto keys = (arguments | local.included_) - local.excluded_;
    return keys & (differs_per_backend(extractor)
                       ? skipped_nowhere_on(extractor, static_cast<std::size_t>(keys.getBackendIndex()))
                       : skipped_nowhere(extractor));
  }
}

}  // namespace

c10::DispatchKeySet keys_of_call(const c10::OperatorHandle& op, c10::DispatchKeySet arguments) {
  return dispatch_keys(extractor_of(op), arguments);
}

}  // namespace openreg::trace::detail
