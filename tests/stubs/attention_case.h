#pragma once

#include <torch/torch.h>

#include <optional>
#include <string>
#include <vector>

namespace openreg::test {

// One call of scaled_dot_product_attention, with its tensors on the CPU.
struct AttentionCase {
  std::string text;  // for failures
  at::Tensor query, key, value;
  std::optional<at::Tensor> mask;
  double dropout = 0;
  bool causal = false;
  bool grouped = false;  // fewer heads in key and value
  bool mask_gradient = false;
  std::optional<double> scale;
};

// The same case for the same number.
AttentionCase random_case(std::uint64_t number);

// Output and the gradients of query, key, value and of the mask when it is wanted. Seeded with `seed` first.
std::vector<at::Tensor> attend(const AttentionCase& attention, c10::Device device, std::uint64_t seed);

}  // namespace openreg::test
