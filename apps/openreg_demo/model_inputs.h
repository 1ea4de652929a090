#pragma once

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

namespace openreg::demo {

// The arguments for `forward`, on the CPU: from the specifications, or else from the module's own `example` method.
// Throws c10::Error: for a wrong specification; when there are neither, one with the signature of `forward` and a
// command to copy, which runs `command` (the program, its subcommand and the model).
std::vector<c10::IValue> model_inputs(const torch::jit::Module& module, const std::vector<std::string>& specs,
                                      const std::string& command);

// "forward(Tensor x, int sr) -> Tensor". Throws c10::Error when the module has no such method.
std::string forward_signature(const torch::jit::Module& module);

}  // namespace openreg::demo
