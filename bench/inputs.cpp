#include "inputs.h"

#include <ATen/ops/rand.h>

#include "openreg/openreg.h"

namespace openreg::bench {

at::Device device_of(bool on_device) { return on_device ? parse_device("openreg:0") : at::Device(at::kCPU); }

at::Tensor random(at::IntArrayRef sizes, bool on_device) { return at::rand(sizes).to(device_of(on_device)); }

}  // namespace openreg::bench
