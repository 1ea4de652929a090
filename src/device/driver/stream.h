#pragma once

namespace openreg::driver {

inline constexpr int least_priority = 1;
inline constexpr int greatest_priority = -1;

// Nothing that was queued before a fork runs in the child.
void forget_pending_work() noexcept;

}
