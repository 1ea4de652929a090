#include "differential/hint_value.h"

#include <c10/util/Exception.h>

#include <cctype>

namespace openreg::differential {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    quoted = quoted != (c == '\'');
    depth += quoted ? 0 : (c == '[' || c == '{' || c == '(') - (c == ']' || c == '}' || c == ')');
    if (c == separator && depth == 0 && !quoted) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::int64_t term(const std::string& text, SampleContext& context) {
  TORCH_CHECK(!text.empty(), "A hint has an empty number.");
  if (std::isalpha(static_cast<unsigned char>(text[0])) == 0) {
    return std::stoll(text);
  }
  auto [entry, fresh] = context.letters.try_emplace(text[0], 0);
  if (fresh) {
    entry->second = std::islower(static_cast<unsigned char>(text[0])) != 0 ? context.random.between(2, 4)
                                                                           : context.random.between(4, 7);
  }
  return entry->second;
}

// Left to right, without brackets: "a*b+1".
std::int64_t number(const std::string& text, SampleContext& context) {
  if (const auto dots = text.find(".."); dots != std::string::npos) {
    return context.random.between(number(text.substr(0, dots), context), number(text.substr(dots + 2), context));
  }
  std::int64_t value = 0;
  char pending = '+';
  std::string current;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool sign = i == 0 && text[i] == '-';
    if (i < text.size() && (sign || std::string("+-*/").find(text[i]) == std::string::npos)) {
      current += text[i];
      continue;
    }
    const auto operand = term(current, context);
    value = pending == '+'   ? value + operand
            : pending == '-' ? value - operand
            : pending == '*' ? value * operand
                             : value / operand;
    pending = i < text.size() ? text[i] : ' ';
    current.clear();
  }
  return value;
}

const std::map<std::string, at::ScalarType> kDtypes{{"long", at::kLong}, {"int", at::kInt},     {"bool", at::kBool},
                                                    {"byte", at::kByte}, {"float", at::kFloat}, {"double", at::kDouble},
                                                    {"half", at::kHalf}};

at::Tensor tensor_value(const std::string& text, SampleContext& context) {
  const auto end = text.find(']');
  TORCH_CHECK(end != std::string::npos, "A hint's tensor has no end: ", text);
  TensorSpec spec;
  spec.dtype = context.dtype;
  auto layout = Layout::any;
  for (const auto& dim : split(text.substr(1, end - 1), ',')) {
    if (dim == "*" || dim == "@") {
      const auto& from = dim == "*" ? context.batch : context.shape;
      spec.sizes.insert(spec.sizes.end(), from.begin(), from.end());
    } else if (!dim.empty()) {
      spec.sizes.push_back(number(dim, context));
    }
  }
  const auto parts = split(text.substr(end + 1), ':');
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto& part = parts[i];
    if (const auto dtype = kDtypes.find(part); dtype != kDtypes.end()) {
      spec.dtype = dtype->second;
    } else if (part == "cplx") {
      spec.dtype = spec.dtype == at::kDouble ? at::kComplexDouble : at::kComplexFloat;
    } else if (part == "real") {
      spec.dtype = at::toRealValueType(spec.dtype);
    } else if (part == "contiguous") {
      layout = Layout::contiguous;
    } else if (const auto less = part.find('<'); less != std::string::npos) {
      spec.fill = part.substr(0, less);
      spec.bound = number(part.substr(less + 1), context);
    } else {
      spec.fill = part;
    }
  }
  return make_tensor(spec, layout, context.random);
}

c10::IValue list_value(const std::string& text, SampleContext& context) {
  const auto inner = text.substr(1, text.size() - 2);
  if (inner.find("true") != std::string::npos || inner.find("false") != std::string::npos) {
    c10::List<bool> flags;
    for (const auto& part : split(inner, ',')) flags.push_back(part == "true");
    return flags;
  }
  if (inner.find('.') != std::string::npos && inner.find("..") == std::string::npos) {
    c10::List<double> numbers;
    for (const auto& part : split(inner, ',')) numbers.push_back(std::stod(part));
    return numbers;
  }
  c10::List<std::int64_t> numbers;
  for (const auto& part : split(inner, ',')) {
    if (part == "@") {
      for (const auto size : context.shape) numbers.push_back(size);
    } else if (part == "*") {
      for (const auto size : context.batch) numbers.push_back(size);
    } else if (!part.empty()) {
      numbers.push_back(number(part, context));
    }
  }
  return numbers;
}

}  // namespace

std::map<std::string, std::string> parse_hint(std::string_view text) {
  std::map<std::string, std::string> parsed;
  for (const auto& word : split(std::string(text), ' ')) {
    if (word.empty()) continue;
    const auto equals = word.find('=');
    TORCH_CHECK(equals != std::string::npos, "A hint has a word without '=': ", word);
    parsed[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return parsed;
}

std::optional<c10::IValue> hint_value(const std::string& text, SampleContext& context) {
  const auto value = context.random.one_of(split(text, '|'));
  TORCH_CHECK(!value.empty(), "A hint has an empty value: ", text);
  if (value == "?") return std::nullopt;
  if (value == "none") return c10::IValue();
  if (value == "true" || value == "false") return c10::IValue(value == "true");
  if (value[0] == '\'') return c10::IValue(value.substr(1, value.size() - 2));
  if (value[0] == '[') return c10::IValue(tensor_value(value, context));
  if (value[0] == '(') return list_value(value, context);
  if (value[0] == '{') {
    c10::List<at::Tensor> tensors;
    for (const auto& part : split(value.substr(1, value.size() - 2), ';')) {
      if (!part.empty()) tensors.push_back(tensor_value(part, context));
    }
    return c10::IValue(tensors);
  }
  if (value.find('.') != std::string::npos && value.find("..") == std::string::npos)
    return c10::IValue(std::stod(value));
  return c10::IValue(number(value, context));
}

}  // namespace openreg::differential
