#pragma once

#include <string>

namespace openreg {

// How the registration before main went.
enum class RegistrationState {
  done,      // name, guard, allocator, hooks and operators are openreg's
  disabled,  // OPENREG_DISABLE is set
  refused,   // another libtorch is loaded, or another backend or copy of openreg holds the PrivateUse1 key
};

RegistrationState registration_state() noexcept;

// Why it was refused, with the remedy; "" otherwise.
const std::string& registration_problem() noexcept;

}  // namespace openreg
