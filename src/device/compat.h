#pragma once

#include <ATen/detail/PrivateUse1HooksInterface.h>

#include <type_traits>

// The differences between libtorch versions, found by what compiles and never by a version number.
namespace openreg::compat {

// isBuilt and isAvailable came to the hooks after 2.6: declared here where they are missing, so that openreg's hooks
// override them on every version.
struct HooksWithAvailability : at::PrivateUse1HooksInterface {
  virtual bool isBuilt() const = 0;
  virtual bool isAvailable() const = 0;
};

template <typename Hooks>
concept KnowsAvailability = requires(const Hooks& hooks) {
  hooks.isBuilt();
  hooks.isAvailable();
};

using HooksBase = std::conditional_t<KnowsAvailability<at::PrivateUse1HooksInterface>, at::PrivateUse1HooksInterface,
                                     HooksWithAvailability>;

}  // namespace openreg::compat
