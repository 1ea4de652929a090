#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/Device.h>

namespace openreg::device {

// The allocator registered for PrivateUse1. allocate() serves the current device; every DataPtr has
// context == data, as raw_allocate() and copy-on-write require. Leaked on purpose.
c10::Allocator& allocator();

// A block on a given device; `bytes` 0 gives a null DataPtr of that device. Throws c10::OutOfMemoryError.
c10::DataPtr allocate(std::size_t bytes, c10::DeviceIndex device);

// The deleter of every device DataPtr. Takes device addresses and the host addresses of device blocks.
void delete_block(void* address);

}  // namespace openreg::device
