#include "stubs/attention_case.h"

#include <openreg/random.h>

#include <random>
#include <sstream>

namespace openreg::test {
namespace {

constexpr at::ScalarType kDtypes[] = {at::kFloat, at::kFloat, at::kDouble, at::kHalf, at::kBFloat16};

at::Tensor mask_of_kind(int kind, c10::IntArrayRef sizes, at::ScalarType dtype) {
  const auto rows = sizes[2];
  const auto columns = sizes[3];
  switch (kind) {
    case 1:
      return at::randn({rows, columns}).to(dtype);
    case 2:
      return at::randn({sizes[0], 1, rows, columns}).gt(-1);
    case 3:
      return at::randn(sizes).to(dtype);
    case 4:
      return at::randn({rows, columns}).gt(0);  // may forbid whole rows
    case 5:
      return at::randn({1, 1, 1, columns}).to(dtype).expand(sizes);
    default:
      return at::zeros({rows, columns}).masked_fill(at::randn({rows, columns}).gt(1), -INFINITY).to(dtype);
  }
}

}  // namespace

AttentionCase random_case(std::uint64_t number) {
  torch::manual_seed(number);
  std::mt19937_64 random(number);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  AttentionCase made;
  const auto dtype = kDtypes[pick(0, 4)];
  const auto batch = pick(0, 8) == 0 ? 0 : pick(1, 3);
  const auto key_heads = pick(1, 3);
  made.grouped = pick(0, 3) == 0;
  const auto heads = made.grouped ? key_heads * pick(2, 3) : key_heads;
  const auto rows = pick(0, 10) == 0 ? 0 : pick(1, 40);
  const auto columns = pick(0, 20) == 0 ? 0 : pick(1, 40);
  const auto size = pick(0, 4) == 0 ? 128 : pick(1, 128);
  const auto value_size = pick(0, 5) == 0 ? pick(1, 64) : size;
  made.query = at::randn({batch, heads, rows, size}).to(dtype);
  made.key = at::randn({batch, key_heads, columns, size}).to(dtype);
  made.value = at::randn({batch, key_heads, columns, value_size}).to(dtype);
  if (pick(0, 3) == 0) {  // as a model makes them: heads split from one tensor
    made.query = made.query.transpose(1, 2).contiguous().transpose(1, 2);
    made.key = made.key.transpose(1, 2).contiguous().transpose(1, 2);
  }
  made.causal = pick(0, 3) == 0;
  const auto kind = made.causal ? 0 : pick(0, 6);
  if (kind != 0) made.mask = mask_of_kind(kind, {batch, heads, rows, columns}, dtype);
  made.mask_gradient = kind == 3 && pick(0, 1) == 0;
  if (pick(0, 4) == 0) made.dropout = 0.1 * pick(1, 9);
  if (pick(0, 3) == 0) made.scale = 0.25 * pick(1, 4);
  std::ostringstream text;
  text << "case " << number << ": " << dtype << " q" << made.query.sizes() << " k" << made.key.sizes() << " v"
       << made.value.sizes() << " mask " << kind << " causal " << made.causal << " dropout " << made.dropout;
  made.text = text.str();
  return made;
}

std::vector<at::Tensor> attend(const AttentionCase& attention, c10::Device device, std::uint64_t seed) {
  const auto leaf = [&](const at::Tensor& x) { return x.to(device).detach().requires_grad_(); };
  const auto query = leaf(attention.query);
  const auto key = leaf(attention.key);
  const auto value = leaf(attention.value);
  std::optional<at::Tensor> mask;
  if (attention.mask) mask = attention.mask_gradient ? leaf(*attention.mask) : attention.mask->to(device);
  device.is_cpu() ? torch::manual_seed(seed) : openreg::manual_seed_all(seed);
  const auto output = at::scaled_dot_product_attention(query, key, value, mask, attention.dropout, attention.causal,
                                                       attention.scale, attention.grouped);
  output.backward(at::cos(at::arange(output.numel(), at::kDouble)).view(output.sizes()).to(output.options()));
  std::vector<at::Tensor> results{output.detach(), query.grad(), key.grad(), value.grad()};
  if (attention.mask_gradient) results.push_back(mask->grad());
  return results;
}

}  // namespace openreg::test
