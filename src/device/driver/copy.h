#pragma once

#include "device/driver/driver.h"

namespace openreg::driver {

// A copy whose two ranges were checked: where the bytes really lie.
struct ResolvedCopy {
  std::byte* destination = nullptr;
  const std::byte* source = nullptr;
  std::size_t bytes = 0;

  void run() const noexcept;
};

Status resolve_copy(const char* function, void* destination, const void* source, std::size_t bytes, CopyKind kind,
                    ResolvedCopy* copy) noexcept;

}  // namespace openreg::driver
