#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/Stream.h>

namespace openreg::device {

// Pinned host memory: CPU tensors that copies to and from the device may use while the program goes on. Blocks are
// cached by size class. Where libtorch has at::HostAllocator it is one. Leaked on purpose.
c10::Allocator& pinned_allocator();

// Lets at::getHostAllocator find it, where libtorch has that.
void register_pinned_allocator();

// Whether an address lies in a live pinned block.
bool is_pinned(const void* address) noexcept;

// A pinned block is used on `stream`: see Note [Freed while in use]. False when the address is not pinned.
bool record_pinned_stream(const void* address, const c10::Stream& stream);

}  // namespace openreg::device
