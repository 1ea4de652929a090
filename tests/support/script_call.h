#pragma once

#include <torch/script.h>

#include <string>

namespace openreg::test {

// A TorchScript module whose forward(x) returns `call`, as "openreg.custom_abs(x)": written to a file's bytes and read
// back, as one that Python has saved with torch.ops.openreg.custom_abs.
torch::jit::Module module_that_calls(const std::string& call);

inline at::Tensor from_script(const std::string& call, const at::Tensor& x) {
  return module_that_calls(call).forward({x}).toTensor();
}

}  // namespace openreg::test
