#include "differential/tensor_maker.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace openreg::differential {
namespace {

at::Tensor uniform(c10::IntArrayRef sizes, double low, double high, RandomSource& random) {
  auto values = at::empty(sizes, at::kDouble);
  auto* data = values.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < values.numel(); ++i) {
    data[i] = low + (high - low) * static_cast<double>(random.bits() >> 11) * 0x1.0p-53;
  }
  return values;
}

at::Tensor integers(c10::IntArrayRef sizes, std::int64_t low, std::int64_t high, RandomSource& random) {
  auto values = at::empty(sizes, at::kLong);
  auto* data = values.mutable_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < values.numel(); ++i) {
    data[i] = random.between(low, high);
  }
  return values;
}

at::Tensor plain(const TensorSpec& spec, RandomSource& random) {
  if (spec.dtype == at::kBool) {
    return integers(spec.sizes, 0, 1, random);
  }
  if (at::isComplexType(spec.dtype)) {
    return at::complex(uniform(spec.sizes, -2, 2, random), uniform(spec.sizes, -2, 2, random));
  }
  if (at::isFloatingType(spec.dtype)) {
    return uniform(spec.sizes, -2, 2, random);
  }
  return integers(spec.sizes, spec.dtype == at::kByte ? 0 : -4, 9, random);
}

at::Tensor wide(const TensorSpec& spec) {
  auto options = at::TensorOptions().dtype(at::isComplexType(spec.dtype) ? at::kComplexDouble : at::kDouble);
  return at::empty(spec.sizes, options);
}

// Square matrices in the last two dimensions.
at::Tensor matrices(const TensorSpec& spec, RandomSource& random) {
  auto values = plain(spec, random).to(wide(spec).scalar_type());
  if (values.dim() < 2 || values.size(-1) != values.size(-2)) {
    return values;
  }
  const auto eye = at::eye(values.size(-1), values.options());
  if (spec.fill == "spd") {
    return values.matmul(values.mH()) + eye;
  }
  if (spec.fill == "tril") {
    return values.tril() + eye * 3;
  }
  if (spec.fill == "triu") {
    return values.triu() + eye * 3;
  }
  return values + eye * 5;  // "solvable"
}

at::Tensor fill(const TensorSpec& spec, RandomSource& random) {
  const auto& kind = spec.fill;
  if (kind == "pos") return uniform(spec.sizes, 0.25, 2, random);
  if (kind == "unit") return uniform(spec.sizes, 0.05, 0.95, random);
  if (kind == "below") return integers(spec.sizes, 0, std::max<std::int64_t>(spec.bound - 1, 0), random);
  if (kind == "count") return integers(spec.sizes, 1, std::max<std::int64_t>(spec.bound, 1), random);
  if (kind == "zero") return at::zeros(spec.sizes, at::kDouble);
  if (kind == "one") return at::ones(spec.sizes, at::kDouble);
  if (kind == "full") return at::full(spec.sizes, static_cast<double>(spec.bound), at::kDouble);
  if (kind == "range") return at::arange(wide(spec).numel(), at::kLong).reshape(spec.sizes);
  if (kind == "sorted") return std::get<0>(uniform(spec.sizes, -2, 2, random).sort(-1));
  if (kind == "offsets") {  // begins with 0, grows, stays below the bound
    auto values = std::get<0>(integers(spec.sizes, 0, std::max<std::int64_t>(spec.bound - 1, 0), random).sort(-1));
    if (values.numel() > 0) values.select(-1, 0).zero_();
    return values;
  }
  if (kind == "perm") {
    auto values = at::empty(spec.sizes, at::kLong);
    auto rows = values.view({-1, spec.sizes.empty() ? 1 : spec.sizes.back()});
    for (std::int64_t i = 0; i < rows.size(0); ++i) {
      rows[i].copy_(uniform({rows.size(1)}, 0, 1, random).argsort());
    }
    return values;
  }
  if (kind == "spd" || kind == "tril" || kind == "triu" || kind == "solvable") return matrices(spec, random);
  auto values = plain(spec, random);
  if (kind.empty() && at::isFloatingType(spec.dtype) && values.numel() > 0 && random.chance(6)) {
    const double special[] = {-0.0, INFINITY, -INFINITY, NAN};
    values.view({-1})[random.between(0, values.numel() - 1)] = special[random.between(0, 3)];
  }
  return values;
}

std::vector<std::int64_t> permuted_strides(c10::IntArrayRef sizes, std::int64_t step, RandomSource& random) {
  std::vector<std::size_t> order(sizes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i) - 1))]);
  }
  std::vector<std::int64_t> strides(sizes.size());
  for (const auto dim : order) {
    strides[dim] = step;
    step *= std::max<std::int64_t>(sizes[dim], 1);
  }
  return strides;
}

at::Tensor place(const at::Tensor& values, c10::IntArrayRef strides, std::int64_t offset) {
  std::int64_t span = 1;
  for (std::int64_t i = 0; i < values.dim(); ++i) {
    span += (std::max<std::int64_t>(values.size(i), 1) - 1) * strides[static_cast<std::size_t>(i)];
  }
  auto storage = at::zeros({offset + span + 2}, values.options());
  auto result = storage.as_strided(values.sizes(), strides, offset);
  result.copy_(values);
  return result;
}

}  // namespace

at::Tensor lay_out_strided(const at::Tensor& values, RandomSource& random) {
  return place(values, permuted_strides(values.sizes(), random.between(1, 2), random), random.between(1, 3));
}

at::Tensor make_tensor(const TensorSpec& spec, Layout layout, RandomSource& random) {
  const auto filled = fill(spec, random);
  const auto values =
      (at::isComplexType(filled.scalar_type()) && !at::isComplexType(spec.dtype) ? at::real(filled) : filled)
          .to(spec.dtype)
          .contiguous();
  const auto choice = random.between(0, 9);
  if (layout == Layout::contiguous || choice < 5) {
    return values.clone();
  }
  if (choice < 6) {
    return place(values, values.strides(), random.between(1, 3));
  }
  if (choice < 7 && values.dim() == 4) {
    return values.contiguous(at::MemoryFormat::ChannelsLast).clone();
  }
  return lay_out_strided(values, random);
}

}  // namespace openreg::differential
