#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/Device.h>
#include <c10/core/Stream.h>

namespace openreg::device {

// The allocator registered for PrivateUse1; where libtorch has c10::DeviceAllocator it is one. allocate() serves the
// current device; every DataPtr has context == data, as raw_allocate() and copy-on-write require. Leaked on purpose.
c10::Allocator& allocator();

// A block on a given device; `bytes` 0 gives a null DataPtr of that device. Throws c10::OutOfMemoryError.
c10::DataPtr allocate(std::size_t bytes, c10::DeviceIndex device);

// The deleter of every device DataPtr. Takes device addresses and the host addresses of device blocks.
void delete_block(void* address);

// The block that holds a device address is used on `stream`: see Note [Freed while in use].
void record_stream(const void* address, const c10::Stream& stream);

}  // namespace openreg::device
