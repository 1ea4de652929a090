#include "differential/cpp_text.h"

#include <ATen/ATen.h>

#include <cmath>
#include <sstream>

#include "differential/compare_values.h"
#include "differential/default_value.h"

namespace openreg::differential {
namespace {

std::string number(const at::Scalar& value) {
  std::ostringstream text;
  text.precision(17);
  if (value.isComplex()) {
    const auto z = value.toComplexDouble();
    text << "c10::complex<double>(" << number(z.real()) << ", " << number(z.imag()) << ")";
  } else if (value.isFloatingPoint()) {
    const auto x = value.toDouble();
    if (std::isfinite(x)) {
      text << x;
      if (text.str().find_first_of(".e") == std::string::npos) text << ".";
    } else {
      text << (std::signbit(x) ? "-" : "") << (std::isnan(x) ? "NAN" : "INFINITY");
    }
  } else if (value.isBoolean()) {
    text << (value.toBool() ? "true" : "false");
  } else {
    text << value.toLong();
  }
  return text.str();
}

template <typename List>
std::string braces(const List& list) {
  std::ostringstream text;
  text << "{";
  const char* comma = "";
  for (const auto element : list) {
    text << comma << element;
    comma = ", ";
  }
  text << "}";
  return text.str();
}

std::string tensor(const at::Tensor& tensor) {
  if (!tensor.defined()) return "at::Tensor()";
  const auto storage = whole_storage(tensor);
  std::ostringstream text;
  if (storage.numel() == 0) {
    text << "at::empty(" << braces(tensor.sizes()) << ", at::TensorOptions(dev).dtype(at::k"
         << c10::toString(tensor.scalar_type()) << "))";
    return text.str();
  }
  text << "at::tensor({";
  for (std::int64_t i = 0; i < storage.numel(); ++i)
    text << (i == 0 ? "" : ", ")
         << number((storage.scalar_type() == at::kUInt64 ? storage[i].to(at::kDouble) : storage[i]).item());
  text << "}).to(dev, at::k" << c10::toString(tensor.scalar_type()) << ")";
  if (tensor.dim() != 1 || tensor.numel() != storage.numel() || tensor.stride(0) != 1) {
    text << ".as_strided(" << braces(tensor.sizes()) << ", " << braces(tensor.strides()) << ", "
         << tensor.storage_offset() << ")";
  }
  return text.str();
}

std::string value_text(const ArgumentKind& kind, const c10::IValue& value) {
  if (value.isNone()) return kind.base == "Tensor" && !kind.list ? "std::nullopt" : "std::nullopt";
  if (value.isTensor()) return tensor(value.toTensor());
  if (value.isList()) {
    auto element = kind;
    element.list = false;
    std::string text;
    for (const c10::IValue& entry : value.toListRef()) {
      text += (text.empty() ? "" : ", ") + value_text(element, entry);
    }
    const char* type = kind.base == "int"       ? "std::vector<std::int64_t>"
                       : kind.base == "float"   ? "std::vector<double>"
                       : kind.base == "bool"    ? ""
                       : kind.optional_elements ? "c10::List<std::optional<at::Tensor>>"
                       : kind.base == "Tensor"  ? "std::vector<at::Tensor>"
                                                : "std::vector<at::Scalar>";
    return type + ("{" + text + "}");
  }
  if (value.isString()) return "\"" + value.toStringRef() + "\"";
  if (value.isDevice()) return "dev";
  if (value.isGenerator()) return "generator";
  if (value.isInt() && kind.base == "dtype")
    return std::string("at::k") + c10::toString(static_cast<at::ScalarType>(value.toInt()));
  if (value.isInt() && kind.base == "layout") return "at::kStrided";
  if (value.isInt() && kind.base == "memory_format")
    return "static_cast<at::MemoryFormat>(" + std::to_string(value.toInt()) + ")";
  if (value.isScalar()) return number(value.toScalar());
  return "/* " + value.tagKind() + " */";
}

}  // namespace

std::string call_text(const c10::OperatorHandle& op, const torch::jit::Stack& arguments) {
  const auto& schema = op.schema();
  std::string name = schema.name().substr(schema.name().find("::") + 2);
  if (!schema.overload_name().empty()) name += "_" + schema.overload_name();
  std::string text = "at::_ops::" + name + "::call(";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    text += (i == 0 ? "" : ", ") + value_text(kind_of(schema.arguments()[i]), arguments[i]);
  }
  return text + ");";
}

}  // namespace openreg::differential
