#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "differential/random_source.h"

// CPU tensors for arguments: what values they hold and how they lie in memory.
namespace openreg::differential {

// What a hint asks for; see hints.h.
struct TensorSpec {
  std::vector<std::int64_t> sizes;
  at::ScalarType dtype = at::kFloat;
  std::string fill;        // "", "pos", "unit", "spd", ...; see tensor_maker.cpp
  std::int64_t bound = 0;  // "below": values are below it
};

enum class Layout { any, contiguous };

// Values first, then a random layout: contiguous, or in a larger storage at an offset, stepped or permuted.
at::Tensor make_tensor(const TensorSpec& spec, Layout layout, RandomSource& random);

// The same values at an offset, in a layout that is not contiguous when there are two or more elements.
at::Tensor lay_out_strided(const at::Tensor& values, RandomSource& random);

}  // namespace openreg::differential
