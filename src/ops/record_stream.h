#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Stream.h>

namespace openreg::ops {

// The tensor's memory is used on a stream other than the one it was allocated on: it is handed out again only when
// what was queued there is done. Mirrors aten::record_stream.
void record_stream(at::Tensor& self, c10::Stream stream);

}  // namespace openreg::ops
