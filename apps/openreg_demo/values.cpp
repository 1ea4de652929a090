#include "values.h"

#include <ATen/core/Tensor.h>

#include <sstream>

#include "dtype_names.h"
#include "text.h"

namespace openreg::demo {
namespace {

c10::IValue copied_tuple(const c10::ivalue::Tuple& tuple, c10::Device device) {
  std::vector<c10::IValue> elements;
  for (const auto& element : tuple.elements()) {
    elements.push_back(copied_to(element, device));
  }
  return c10::ivalue::Tuple::createNamed(std::move(elements), tuple.type());
}

c10::IValue copied_list(const c10::List<c10::IValue>& list, c10::Device device) {
  c10::impl::GenericList copy(list.elementType());
  for (std::size_t i = 0; i < list.size(); ++i) {
    copy.push_back(copied_to(list.get(i), device));
  }
  return copy;
}

c10::IValue copied_dict(const c10::Dict<c10::IValue, c10::IValue>& dict, c10::Device device) {
  c10::impl::GenericDict copy(dict.keyType(), dict.valueType());
  for (const auto& entry : dict) {
    copy.insert(copied_to(entry.key(), device), copied_to(entry.value(), device));
  }
  return copy;
}

}  // namespace

c10::IValue copied_to(const c10::IValue& value, c10::Device device) {
  if (value.isTensor()) {
    const auto& tensor = value.toTensor();
    return tensor.defined() ? tensor.to(tensor.options().device(device), /*non_blocking=*/false, /*copy=*/true)
                            : tensor;
  }
  if (value.isTuple()) return copied_tuple(value.toTupleRef(), device);
  if (value.isList()) return copied_list(value.toList(), device);
  if (value.isGenericDict()) return copied_dict(value.toGenericDict(), device);
  return value;
}

std::string dtype_text(c10::ScalarType dtype) {
  for (const auto& [name, type] : kDtypeNames) {
    if (type == dtype) {
      return std::string(name);
    }
  }
  return c10::toString(dtype);
}

std::string describe(const c10::IValue& value) {
  std::ostringstream text;
  if (value.isTensor()) {
    const auto& tensor = value.toTensor();
    if (!tensor.defined()) return "undefined tensor";
    text << dtype_text(tensor.scalar_type()) << " " << tensor.sizes();
  } else if (value.isTuple()) {
    text << "tuple of " << value.toTupleRef().elements().size();
  } else if (value.isList()) {
    text << "list of " << value.toListRef().size();
  } else if (value.isGenericDict()) {
    text << "dict of " << value.toGenericDict().size();
  } else if (value.isInt()) {
    text << "int " << value.toInt();
  } else if (value.isDouble()) {
    text << "float " << value.toDouble();
  } else if (value.isBool()) {
    text << "bool " << (value.toBool() ? "true" : "false");
  } else if (value.isString()) {
    text << "str '" << value.toStringRef() << "'";
  } else if (value.isNone()) {
    text << "None";
  } else {
    text << value.type()->str();
  }
  return text.str();
}

}  // namespace openreg::demo
