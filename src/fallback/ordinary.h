#pragma once

#include <c10/core/DispatchKeySet.h>
#include <c10/core/TensorImpl.h>

namespace openreg::fallback {

inline constexpr c10::DispatchKeySet kDeviceKeys(c10::DispatchKey::PrivateUse1);
inline constexpr c10::DispatchKeySet kCpuKeys(c10::DispatchKey::CPU);

// A strided tensor of that backend with nothing special about it: neither conjugate nor negative nor zero, not
// quantized, no names, in no transform. `keys` is one of the two above.
inline bool is_ordinary(const c10::TensorImpl& impl, c10::DispatchKeySet keys) {
  constexpr auto beside = c10::autograd_dispatch_keyset_with_ADInplaceOrView | c10::autocast_dispatch_keyset;
  const auto own = impl.key_set().raw_repr();
  return (own & ~(keys | beside).raw_repr()) == 0 && (own & keys.raw_repr()) == keys.raw_repr();
}

}  // namespace openreg::fallback
