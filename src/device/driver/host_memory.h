#pragma once

#include <cstdint>
#include <optional>

#include "device/driver/block_table.h"

namespace openreg::driver {

// The live block of host_allocate that holds the address.
std::optional<Block> find_host_block(std::uintptr_t address) noexcept;

}  // namespace openreg::driver
