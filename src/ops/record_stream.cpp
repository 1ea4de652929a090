#include "ops/record_stream.h"

#include "device/allocator.h"

namespace openreg::ops {

void record_stream(at::Tensor& self, c10::Stream stream) { device::record_stream(self.storage().data(), stream); }

}  // namespace openreg::ops
