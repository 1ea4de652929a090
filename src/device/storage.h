#pragma once

#include <c10/core/StorageImpl.h>

#include <cstddef>

namespace openreg::device {

// Gives the storage room for `bytes`, keeping its first min(old, new) bytes. Throws c10::Error when the storage is
// not resizable and c10::OutOfMemoryError when the device is full; the storage is then as before.
// Stands for at::native::resize_bytes_cpu, which would read and write device addresses on the host.
void resize_storage(c10::StorageImpl& storage, std::size_t bytes);

}  // namespace openreg::device
