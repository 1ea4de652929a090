#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/stack.h>
#include <c10/core/Device.h>

#include <vector>

namespace openreg::differential {

// Every tensor in the values, lists included, in order. Undefined ones too.
std::vector<at::Tensor> tensors_in(const torch::jit::Stack& values);

// A copy of CPU arguments on a device: the same bytes, layouts and dtypes, and the same sharing of storages and of
// tensors among them. Devices and generators that they name become those of the device. Arguments of the schema that
// stay on the CPU whatever the device do so here. With `leaves`, floating tensors require gradients, and each is also
// put there, an undefined one for others.
torch::jit::Stack copy_arguments(const c10::FunctionSchema& schema, const torch::jit::Stack& arguments,
                                 c10::Device device, std::vector<at::Tensor>* leaves = nullptr);

}  // namespace openreg::differential
