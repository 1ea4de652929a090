#pragma once

#include <ATen/core/Tensor.h>

namespace openreg::ops {

// Note [Queued copies]
// As on a real device, a copy with non_blocking between the device and pinned host memory, or within one device, is put
// on the current stream and the call returns. With OPENREG_ASYNC=1 every copy within one device is. The task holds the
// storages, so that they live until it is done, and aliases of the tensors, so that what happens to the tensors'
// sizes meanwhile does not matter. Who reads a pinned destination, or writes a pinned source, on the host first waits
// for the stream; operators of openreg do that themselves. Copies that may be refused run at once, so that the error
// comes from the call: those that broadcast, overlap or turn complex numbers into real ones.
bool can_queue_copy(const at::Tensor& self, const at::Tensor& dst, bool non_blocking);

// `copy` does it, on the stream.
void queue_copy(const at::Tensor& self, const at::Tensor& dst, void (*copy)(const at::Tensor&, const at::Tensor&));

}  // namespace openreg::ops
