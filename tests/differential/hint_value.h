#pragma once

#include <ATen/core/ivalue.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/tensor_maker.h"

namespace openreg::differential {

// What the values of one sample have in common.
struct SampleContext {
  explicit SampleContext(std::uint64_t seed) : random(seed) {}

  RandomSource random;
  at::ScalarType dtype = at::kFloat;
  std::vector<std::int64_t> shape;  // of tensors for which no hint says another
  std::vector<std::int64_t> batch;  // what * means in hints
  std::map<char, std::int64_t> letters;
};

// "a=x b=y" as a map; throws c10::Error for text that is no hint.
std::map<std::string, std::string> parse_hint(std::string_view text);

// The value that a hint gives an argument; empty when it leaves it to the defaults. `written` tensors get no layout
// that cannot be written to.
std::optional<c10::IValue> hint_value(const std::string& text, SampleContext& context);

}  // namespace openreg::differential
