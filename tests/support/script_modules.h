#pragma once

#include <torch/script.h>

#include <sstream>
#include <string>

namespace openreg::test {

// matmul, relu, abs and softmax with a parameter and a buffer; in a submodule, so that moving has to go down.
torch::jit::Module script_module();
at::Tensor script_input();

// Makes tensors on a device that the code names, as tracing writes it.
torch::jit::Module traced_module();

// What save() writes and load() reads.
std::string bytes_of(const torch::jit::Module& module);
torch::jit::Module from_bytes(const std::string& bytes, std::optional<c10::Device> device = std::nullopt);

}  // namespace openreg::test
