#pragma once

namespace openreg::device {

// Tells libtorch's files of the metadata of tensors: see openreg/metadata.h.
void register_metadata();

}  // namespace openreg::device
