#pragma once

#include <torch/torch.h>

#include <optional>
#include <sstream>

namespace openreg::test {

// The tensor after torch::save and torch::load, which puts it on `where`; without it, where it was.
inline at::Tensor save_and_load(const at::Tensor& tensor, std::optional<c10::Device> where = std::nullopt) {
  std::stringstream stream;
  torch::save(tensor, stream);
  at::Tensor loaded;
  torch::load(loaded, stream, where);
  return loaded;
}

}  // namespace openreg::test
