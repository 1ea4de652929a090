#include "differential/arguments.h"

#include <ATen/ATen.h>

#include <map>

#include "differential/exceptions.h"

namespace openreg::differential {
namespace {

void collect(const c10::IValue& value, std::vector<at::Tensor>& found) {
  if (value.isTensor()) {
    found.push_back(value.toTensor());
  } else if (value.isList()) {
    for (const c10::IValue& element : value.toListRef()) {
      if (element.isNone() || element.isTensor() || element.isList()) collect(element, found);
    }
  }
}

class Copier {
 public:
  Copier(c10::Device device, std::vector<at::Tensor>* leaves) : device_(device), leaves_(leaves) {}

  c10::IValue copy(const c10::IValue& value) {
    if (value.isTensor()) return tensor(value.toTensor());
    if (value.isStorage()) return storage(value.toStorage());
    if (value.isDevice()) return device_;
    if (value.isGenerator()) return generator(value.toGenerator());
    if (!value.isList()) return value;
    if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const auto& element : value.toTensorVector()) list.push_back(tensor(element));
      return list;
    }
    c10::impl::GenericList list(value.toList().elementType());
    for (const c10::IValue& element : value.toListRef()) list.push_back(copy(element));
    return list;
  }

 private:
  c10::Storage storage(const c10::Storage& from) {
    auto& entry = storages_[from.unsafeGetStorageImpl()];
    if (!entry.defined()) {
      const auto size = static_cast<std::int64_t>(from.nbytes());
      const auto bytes = at::empty({0}, at::kByte).set_(from, 0, {size}, {1});
      entry = device_.is_cpu() ? bytes.clone() : bytes.to(device_);
    }
    return entry.storage();
  }

  at::Tensor tensor(const at::Tensor& from) {
    if (!from.defined()) {
      if (leaves_ != nullptr) leaves_->emplace_back();
      return from;
    }
    auto& entry = tensors_[from.unsafeGetTensorImpl()];
    if (entry.defined()) return entry;
    entry = at::empty({0}, at::TensorOptions().dtype(from.scalar_type()).device(device_))
                .set_(storage(from.storage()), from.storage_offset(), from.sizes(), from.strides());
    if (from.is_conj()) entry._set_conj(true);
    if (from.is_neg()) entry._set_neg(true);
    if (from.unsafeGetTensorImpl()->is_wrapped_number()) entry.unsafeGetTensorImpl()->set_wrapped_number(true);
    if (leaves_ != nullptr) {
      const bool differentiable = at::isFloatingType(from.scalar_type()) || at::isComplexType(from.scalar_type());
      leaves_->push_back(differentiable ? entry.requires_grad_() : at::Tensor());
    }
    return entry;
  }

  at::Generator generator(const at::Generator& from) const {
    auto to = device_.is_cpu() ? from.clone() : at::globalContext().defaultGenerator(device_).clone();
    to.set_current_seed(from.current_seed());
    return to;
  }

  c10::Device device_;
  std::vector<at::Tensor>* leaves_;
  std::map<const void*, at::Tensor> storages_;
  std::map<const void*, at::Tensor> tensors_;
};

}  // namespace

std::vector<at::Tensor> tensors_in(const torch::jit::Stack& values) {
  std::vector<at::Tensor> found;
  for (const auto& value : values) collect(value, found);
  return found;
}

torch::jit::Stack copy_arguments(const c10::FunctionSchema& schema, const torch::jit::Stack& arguments,
                                 c10::Device device, std::vector<at::Tensor>* leaves) {
  Copier to_device(device, leaves);
  Copier to_cpu(c10::kCPU, leaves);
  torch::jit::Stack copies;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool stays = stays_on_cpu(schema.name(), schema.arguments()[i].name());
    copies.push_back((stays ? to_cpu : to_device).copy(arguments[i]));
  }
  return copies;
}

}  // namespace openreg::differential
