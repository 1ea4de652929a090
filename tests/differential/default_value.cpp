#include "differential/default_value.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <set>

namespace openreg::differential {
namespace {

std::string base_of(const c10::Type& type) {
  switch (type.kind()) {
    case c10::TypeKind::TensorType:
      return "Tensor";
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
      return "int";
    case c10::TypeKind::FloatType:
    case c10::TypeKind::SymFloatType:
      return "float";
    case c10::TypeKind::BoolType:
    case c10::TypeKind::SymBoolType:
      return "bool";
    case c10::TypeKind::NumberType:
      return "number";
    case c10::TypeKind::StringType:
      return "str";
    case c10::TypeKind::ScalarTypeType:
      return "dtype";
    case c10::TypeKind::LayoutType:
      return "layout";
    case c10::TypeKind::DeviceObjType:
      return "device";
    case c10::TypeKind::MemoryFormatType:
      return "memory_format";
    case c10::TypeKind::GeneratorType:
      return "generator";
    case c10::TypeKind::StorageType:
      return "storage";
    default:
      return "";
  }
}

const at::Tensor* first_tensor(const torch::jit::Stack& before) {
  for (const auto& value : before) {
    if (value.isTensor() && value.toTensor().defined()) return &value.toTensor();
  }
  return nullptr;
}

std::int64_t dimensions(const torch::jit::Stack& before, const SampleContext& context) {
  if (const auto* tensor = first_tensor(before)) return tensor->dim();
  for (const auto& value : before) {
    if (value.isTensorList() && !value.toTensorList().empty()) return value.toTensorList().get(0).dim();
  }
  return static_cast<std::int64_t>(context.shape.size());
}

std::int64_t some_dimension(std::int64_t dimensions, SampleContext& context) {
  const auto count = std::max<std::int64_t>(dimensions, 1);
  return context.random.chance(4) ? count : context.random.between(-count, count - 1);  // seldom out of range
}

at::Tensor default_tensor(const std::string& name, const torch::jit::Stack& before, SampleContext& context) {
  auto& random = context.random;
  TensorSpec spec{context.shape, context.dtype, "", 0};
  if (name == "mask" || name == "condition") spec.dtype = at::kBool;
  if (first_tensor(before) != nullptr) {
    const auto choice = random.between(0, 19);
    if (choice < 3 && !spec.sizes.empty()) {
      spec.sizes[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(spec.sizes.size()) - 1))] = 1;
    } else if (choice < 5 && !spec.sizes.empty()) {
      spec.sizes.erase(spec.sizes.begin());
    } else if (choice < 6) {
      spec.sizes.clear();
    } else if (choice < 7) {
      spec.dtype = random.one_of<at::ScalarType>({at::kFloat, at::kDouble, at::kLong, at::kBool, at::kHalf});
    }
  }
  return make_tensor(spec, Layout::any, random);
}

// Lists of one call match each other: the second tensor of each list has the same shape.
c10::IValue default_tensor_list(bool optional_elements, SampleContext& context) {
  auto& random = context.random;
  const int count = context.letters.try_emplace('#', random.between(1, 3)).first->second;
  c10::List<at::Tensor> tensors;
  c10::List<std::optional<at::Tensor>> optional_tensors;
  for (int i = 0; i < count; ++i) {
    TensorSpec spec{context.shape, context.dtype, "", 0};
    auto tensor = make_tensor(spec, Layout::any, random);
    tensors.push_back(tensor);
    optional_tensors.push_back(tensor);
  }
  return optional_elements ? c10::IValue(optional_tensors) : c10::IValue(tensors);
}

c10::IValue default_number(SampleContext& context) {
  auto& random = context.random;
  switch (random.between(0, 5)) {
    case 0:
      return static_cast<double>(random.between(-3, 3)) + 0.5;
    case 1:
      return random.chance(50) ? c10::IValue(true) : c10::IValue(c10::complex<double>(1.5, -1));
    case 2:
      return 1.25;
    default:
      return random.between(-2, 4);
  }
}

c10::IValue default_int(const std::string& name, const torch::jit::Stack& before, SampleContext& context) {
  static const std::set<std::string> kDimensions{"dim",       "axis",    "dim0",   "dim1", "axis0",       "axis1",
                                                 "start_dim", "end_dim", "source", "dest", "destination", "batch_dim"};
  if (kDimensions.count(name) != 0) return some_dimension(dimensions(before, context), context);
  return context.random.between(-1, 3);
}

c10::IValue default_ints(const c10::Argument& argument, const torch::jit::Stack& before, SampleContext& context) {
  auto& random = context.random;
  c10::List<std::int64_t> list;
  const auto& name = argument.name();
  const auto dims = dimensions(before, context);
  if (name == "dim" || name == "dims" || name == "axes" || name == "axis") {
    std::vector<std::int64_t> all(static_cast<std::size_t>(dims));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i) - (random.chance(30) ? dims : 0);
    for (std::size_t i = all.size(); i > 1; --i) {
      std::swap(all[i - 1], all[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i) - 1))]);
    }
    const auto some = std::min<std::int64_t>(dims, random.between(1, 3));
    for (std::int64_t i = 0; i < some; ++i) list.push_back(all[static_cast<std::size_t>(i)]);
  } else if (name == "size" || name == "output_size") {
    for (const auto size : context.shape) list.push_back(size);
  } else {
    const auto count = argument.N().value_or(static_cast<int>(std::max<std::int64_t>(dims, 1)));
    for (int i = 0; i < count; ++i) list.push_back(random.between(1, 2));
  }
  return list;
}

c10::IValue required_value(const ArgumentKind& kind, const c10::Argument& argument, const torch::jit::Stack& before,
                           SampleContext& context) {
  auto& random = context.random;
  if (kind.list) {
    if (kind.base == "Tensor") return default_tensor_list(kind.optional_elements, context);
    if (kind.base == "int") return default_ints(argument, before, context);
    if (kind.base == "bool") {
      c10::List<bool> flags;
      for (int i = 0; i < argument.N().value_or(2); ++i) flags.push_back(random.chance(80));
      return flags;
    }
    if (kind.base == "float") return c10::List<double>({0.5, 1.5});
    c10::impl::GenericList numbers(c10::NumberType::get());
    const auto count = context.letters.try_emplace('#', random.between(1, 3)).first->second;
    for (std::int64_t i = 0; i < count; ++i) numbers.push_back(default_number(context));
    return numbers;
  }
  if (kind.base == "Tensor") return default_tensor(argument.name(), before, context);
  if (kind.base == "int") return default_int(argument.name(), before, context);
  if (kind.base == "float") return static_cast<double>(random.between(1, 7)) / 8;
  if (kind.base == "bool") return random.chance(50);
  if (kind.base == "number") return default_number(context);
  if (kind.base == "str") return "mean";
  if (kind.base == "dtype") {
    return static_cast<std::int64_t>(
        random.one_of<at::ScalarType>({at::kFloat, at::kDouble, at::kLong, at::kHalf, at::kBool}));
  }
  if (kind.base == "layout") return static_cast<std::int64_t>(at::kStrided);
  if (kind.base == "device") return c10::Device(c10::kCPU);
  if (kind.base == "memory_format") {
    return static_cast<std::int64_t>(random.one_of<at::MemoryFormat>(
        {at::MemoryFormat::Contiguous, at::MemoryFormat::Preserve, at::MemoryFormat::ChannelsLast}));
  }
  if (kind.base == "generator") return at::detail::createCPUGenerator(random.bits() % 1000);
  if (kind.base == "storage") return default_tensor("", {}, context).storage();
  TORCH_CHECK(false, "takes a ", argument.type()->str());
}

}  // namespace

ArgumentKind kind_of(const c10::Argument& argument) {
  ArgumentKind kind;
  auto type = argument.real_type();
  if (type->kind() == c10::TypeKind::OptionalType) {
    kind.optional = true;
    type = type->expectRef<c10::OptionalType>().getElementType();
  }
  if (type->kind() == c10::TypeKind::ListType) {
    kind.list = true;
    type = type->expectRef<c10::ListType>().getElementType();
    if (type->kind() == c10::TypeKind::OptionalType) {
      kind.optional_elements = true;
      type = type->expectRef<c10::OptionalType>().getElementType();
    }
  }
  kind.base = base_of(*type);
  return kind;
}

c10::IValue default_value(const c10::Argument& argument, const torch::jit::Stack& before, SampleContext& context) {
  const auto kind = kind_of(argument);
  auto& random = context.random;
  if (kind.base == "device" || kind.base == "layout" || argument.name() == "pin_memory") {
    if (kind.optional) return kind.base == "device" ? c10::IValue(c10::Device(c10::kCPU)) : c10::IValue();
  }
  if (argument.default_value().has_value() && random.chance(60)) return *argument.default_value();
  if (kind.optional && random.chance(kind.base == "Tensor" || kind.base == "generator" ? 40 : 65)) return {};
  return required_value(kind, argument, before, context);
}

c10::IValue coerce(const c10::Argument& argument, c10::IValue value) {
  const auto kind = kind_of(argument);
  if (kind.base == "float" && value.isInt()) return static_cast<double>(value.toInt());
  if (kind.base == "float" && value.isIntList()) {
    c10::List<double> list;
    for (const auto element : value.toIntVector()) list.push_back(static_cast<double>(element));
    return list;
  }
  if (kind.base == "bool" && value.isInt()) return value.toInt() != 0;
  if (kind.base == "number" && kind.list && (value.isIntList() || value.isDoubleList())) {
    c10::impl::GenericList list(c10::NumberType::get());
    for (const c10::IValue& element : value.toListRef()) list.push_back(element);
    return list;
  }
  if (kind.list && kind.optional_elements && value.isTensorList()) {
    c10::List<std::optional<at::Tensor>> list;
    for (const auto& tensor : value.toTensorVector()) {
      // A hint's [0] of bytes stands for none.
      const bool none = tensor.dim() == 1 && tensor.numel() == 0 && tensor.scalar_type() == at::kByte;
      list.push_back(none ? std::optional<at::Tensor>() : std::optional<at::Tensor>(tensor));
    }
    return list;
  }
  return value;
}

}  // namespace openreg::differential
