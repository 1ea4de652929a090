#include "input_spec.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/view_as_complex.h>

#include <charconv>
#include <string_view>

#include "dtype_names.h"

namespace openreg::demo {
namespace {

[[noreturn]] void refuse(std::string_view spec, std::string_view part, const char* remedy) {
  TORCH_CHECK(false, "--input ", spec, ": '", part, "' ", remedy);
}

template <typename Number>
std::optional<Number> parse(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::optional<c10::ScalarType> dtype_named(std::string_view name) {
  for (const auto& [known, dtype] : kDtypeNames) {
    if (known == name) {
      return dtype;
    }
  }
  return std::nullopt;
}

std::vector<std::int64_t> parse_shape(std::string_view spec, std::string_view text) {
  std::vector<std::int64_t> shape;
  for (auto rest = text; !text.empty();) {
    const auto end = std::min(rest.find('x'), rest.size());
    const auto size = parse<std::int64_t>(rest.substr(0, end));
    if (!size.has_value() || *size < 0) {
      refuse(spec, text, "is no shape: write sizes with x between them, as 1x3x96x96.");
    }
    shape.push_back(*size);
    if (end == rest.size()) {
      break;
    }
    rest.remove_prefix(end + 1);
  }
  return shape;
}

template <typename Number>
std::pair<Number, Number> parse_range(std::string_view spec, std::string_view text) {
  const auto dots = text.find("..");
  if (dots != std::string_view::npos) {
    const auto low = parse<Number>(text.substr(0, dots));
    const auto high = parse<Number>(text.substr(dots + 2));
    if (low.has_value() && high.has_value() && *low <= *high) {
      return {*low, *high};
    }
  }
  refuse(spec, text, "is no range: write LOW..HIGH, as 0..999 for integers or -1..1 for real numbers.");
}

at::Tensor random_tensor(std::string_view spec, c10::ScalarType dtype, c10::IntArrayRef shape, std::string_view range) {
  if (c10::isIntegralType(dtype, /*includeBool=*/true)) {
    const bool is_bool = dtype == at::kBool;
    const auto [low, high] = range.empty() ? std::pair<std::int64_t, std::int64_t>(0, is_bool ? 1 : 9)
                                           : parse_range<std::int64_t>(spec, range);
    return at::randint(low, high + 1, shape, at::kLong).to(dtype);
  }
  const auto [low, high] = range.empty() ? std::pair(-1.0, 1.0) : parse_range<double>(spec, range);
  // Complex numbers: both parts from the range.
  const bool is_complex = c10::isComplexType(dtype);
  auto sizes = shape.vec();
  if (is_complex) {
    sizes.push_back(2);
  }
  const auto reals = at::rand(sizes, at::kDouble) * (high - low) + low;
  return (is_complex ? at::view_as_complex(reals) : reals).to(dtype);
}

c10::IValue scalar(std::string_view spec, std::string_view kind, std::string_view text) {
  if (kind == "int") {
    if (const auto value = parse<std::int64_t>(text)) return *value;
    refuse(spec, text, "is no whole number of 64 bits.");
  }
  if (kind == "float") {
    if (const auto value = parse<double>(text)) return *value;
    refuse(spec, text, "is no number.");
  }
  if (kind == "bool") {
    if (text == "true" || text == "1") return true;
    if (text == "false" || text == "0") return false;
    refuse(spec, text, "is neither true nor false.");
  }
  return std::string(text);
}

}  // namespace

std::optional<c10::IValue> value_from_spec(const std::string& spec) {
  const std::string_view text = spec;
  if (text == "none") {
    return c10::IValue();
  }
  const auto mark = text.find_first_of(":=");
  if (mark == std::string_view::npos) {
    return std::nullopt;
  }
  const auto kind = text.substr(0, mark);
  const auto rest = text.substr(mark + 1);
  if (text[mark] == '=') {
    const bool known = kind == "int" || kind == "float" || kind == "bool" || kind == "str";
    return known ? std::optional(scalar(text, kind, rest)) : std::nullopt;
  }
  const auto dtype = dtype_named(kind);
  if (!dtype.has_value()) {
    return std::nullopt;
  }
  const auto colon = rest.find(':');
  const auto shape = parse_shape(text, rest.substr(0, colon));
  const bool has_range = colon != std::string_view::npos;
  const auto range = has_range ? rest.substr(colon + 1) : std::string_view();
  if (has_range && range.empty()) {
    refuse(text, range, "is no range: leave the second colon out, or write LOW..HIGH after it.");
  }
  return random_tensor(text, *dtype, shape, range);
}

}  // namespace openreg::demo
