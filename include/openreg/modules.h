#pragma once

#include <c10/core/Device.h>

#include <cstddef>

namespace torch::jit {
struct Module;
}

// TorchScript modules that remember a device.
namespace openreg {

// What retarget() changed.
struct Retargeted {
  std::size_t devices = 0;  // constants such as torch.device("cpu")
  std::size_t tensors = 0;  // tensors kept in the code instead of in attributes
  std::size_t names = 0;    // the device type's name as text
};

// Tracing writes the device of the moment into the code, and freezing turns parameters into constants: Module::to
// moves neither. Scripting keeps "privateuseone", what the device type is called where no backend has named it, in the
// code of layers that ask `x.device.type in [...]` before they take a fast path (torch.nn.TransformerEncoderLayer).
// This rewrites every such constant to `device`, and that name to "openreg" when the device is one of openreg's, in all
// methods of the module and its submodules, and in the functions that they call; parameters and buffers are left to
// Module::to:
//
//   auto module = torch::jit::load("traced.pt");
//   module.to(torch::Device("openreg"));
//   openreg::retarget(module, torch::Device("openreg"));
//
// When there is something to change, `module` becomes a copy that shares parameters and buffers, since the old one may
// have been compiled already; other handles to it keep the old code. Throws c10::Error when `device` does not exist.
Retargeted retarget(torch::jit::Module& module, c10::Device device);

}  // namespace openreg
