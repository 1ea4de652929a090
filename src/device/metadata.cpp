#include "openreg/metadata.h"

#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>
#include <torch/csrc/jit/serialization/pickler.h>

#include <charconv>

#include "device/metadata.h"
#include "device/runtime.h"

namespace openreg {
namespace {

struct TensorMetadata final : c10::BackendMeta {
  explicit TensorMetadata(Metadata its_values) : values(std::move(its_values)) {}

  // A copy, so that what is set on one tensor does not show on one that was detached from it.
  c10::intrusive_ptr<c10::BackendMeta> clone(const c10::intrusive_ptr<c10::BackendMeta>&) const override {
    return c10::make_intrusive<TensorMetadata>(values);
  }

  const Metadata values;
};

void check_on_openreg(const at::Tensor& tensor) {
  TORCH_CHECK(tensor.defined() && tensor.device().type() == device::kDeviceType, "Metadata belong to tensors on ",
              device::kBackendName, ", but this one is ", tensor.defined() ? tensor.device().str() : "undefined",
              ". Move it with Tensor::to first.");
}

// In a file metadata are names with true or false, conj and neg among them. A name of ours says all:
// "openreg.format=29".
using InFile = std::unordered_map<std::string, bool>;

std::string prefix() { return std::string(device::kBackendName) + "."; }

void write(const at::Tensor& tensor, InFile& file) {
  for (const auto& [name, value] : metadata(tensor)) {
    file[prefix() + name + "=" + std::to_string(value)] = true;
  }
}

void read(const at::Tensor& tensor, InFile& file) {
  Metadata values;
  for (const auto& [text, is_true] : file) {
    const auto sign = text.rfind('=');
    if (!is_true || text.rfind(prefix(), 0) != 0 || sign == std::string::npos) continue;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + sign + 1, text.data() + text.size(), value);
    TORCH_CHECK(error == std::errc() && end == text.data() + text.size(), "The file has metadata '", text,
                "' for a tensor on ", device::kBackendName, ", where a number is expected after '='.");
    values[text.substr(prefix().size(), sign - prefix().size())] = value;
  }
  if (!values.empty()) {
    set_metadata(tensor, std::move(values));
  }
}

}  // namespace

void set_metadata(const at::Tensor& tensor, Metadata metadata) {
  check_on_openreg(tensor);
  for (const auto& [name, value] : metadata) {
    TORCH_CHECK(!name.empty() && name.find('=') == std::string::npos, "'", name,
                "' is no name for metadata: it must not be empty or have a '=' in it.");
  }
  auto* impl = tensor.unsafeGetTensorImpl();
  impl->set_backend_meta(metadata.empty() ? nullptr : c10::make_intrusive<TensorMetadata>(std::move(metadata)));
}

Metadata metadata(const at::Tensor& tensor) {
  if (!tensor.defined()) return {};
  const auto* ours = dynamic_cast<const TensorMetadata*>(tensor.unsafeGetTensorImpl()->get_backend_meta());
  return ours == nullptr ? Metadata{} : ours->values;
}

namespace device {

void register_metadata() {
  if (!torch::jit::GetBackendMetaSerialization()[static_cast<std::size_t>(kDeviceType)].has_value()) {
    torch::jit::TensorBackendMetaRegistry(kDeviceType, &write, &read);
  }
}

}  // namespace device
}  // namespace openreg
