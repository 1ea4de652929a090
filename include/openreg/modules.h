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
};

// Tracing writes the device of the moment into the code, and freezing turns parameters into constants: Module::to
// moves neither. This rewrites every such constant to `device`, in all methods of the module and its submodules, and
// in the functions that they call; parameters and buffers are left to Module::to:
//
//   auto module = torch::jit::load("traced.pt");
//   module.to(torch::Device("openreg"));
//   openreg::retarget(module, torch::Device("openreg"));
//
// When there is something to change, `module` becomes a copy that shares parameters and buffers, since the old one may
// have been compiled already; other handles to it keep the old code. Throws c10::Error when `device` does not exist.
Retargeted retarget(torch::jit::Module& module, c10::Device device);

}  // namespace openreg
