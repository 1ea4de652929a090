#include "fallback/device_check.h"

#include <ATen/core/op_registration/adaption.h>
#include <c10/util/Exception.h>
#include <torch/csrc/jit/runtime/interpreter.h>

#include "device/runtime.h"

namespace openreg::fallback {
namespace {

class Checker {
 public:
  explicit Checker(const OperatorInfo& info) : info_(info) {}

  void look_at(const at::Tensor& tensor, std::size_t argument) {
    if (!tensor.defined()) {
      return;
    }
    const auto device = tensor.device();
    if (device.type() == device::kDeviceType) {
      if (!device_.has_value()) {
        device_ = device;
      } else if (*device_ != device) {
        fail(tensor, argument);
      }
      return;
    }
    const auto& rule = info_.arguments[argument];
    const bool allowed = device.is_cpu() && (rule.cpu_allowed || (tensor.dim() == 0 && !rule.written));
    if (!allowed && stranger_ == nullptr) {
      stranger_ = &tensor;
      stranger_argument_ = argument;
    }
  }

  void look_at(const at::Generator& generator) { has_generator_ = has_generator_ || generator.defined(); }

  const std::optional<c10::Device>& finish(bool device_is_asked) const {
    if (device_.has_value() && stranger_ != nullptr) {
      fail(*stranger_, stranger_argument_);
    }
    // Only its generator brought the call here.
    TORCH_CHECK(stranger_ == nullptr || !has_generator_ || device_is_asked, info_.handle.operator_name(),
                ": expected a generator of ", stranger_->device(), ", where the tensor lies, but got one of ",
                device::kBackendName, ".");
    return device_;
  }

 private:
  void fail(const at::Tensor& tensor, std::size_t argument) const {
    const auto& schema = info_.handle.schema();
    try {
      c10::impl::common_device_check_failure(*device_, tensor, schema.name().c_str(),
                                             schema.arguments()[argument].name().c_str());
    } catch (c10::Error& error) {
      // In TorchScript it is most often the code that holds the other device, where Module::to does not reach.
      if (!torch::jit::currentCallstack().empty()) {
        error.add_context(
            "If this device is written into a traced module, or its parameters are constants of a frozen "
            "one: move, then freeze; or call openreg::retarget(module, device).");
      }
      throw;
    }
  }

  const OperatorInfo& info_;
  std::optional<c10::Device> device_;
  const at::Tensor* stranger_ = nullptr;
  std::size_t stranger_argument_ = 0;
  bool has_generator_ = false;
};

void look_at_list(Checker& checker, const c10::IValue& list, std::size_t argument) {
  for (const c10::IValue& element : list.toListRef()) {
    if (element.isTensor()) {
      checker.look_at(element.toTensor(), argument);
    } else if (element.isList()) {
      look_at_list(checker, element, argument);
    }
  }
}

}  // namespace

c10::Device check_devices(const OperatorInfo& info, c10::ArrayRef<c10::IValue> arguments) {
  Checker checker(info);
  std::optional<c10::Device> asked;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& value = arguments[i];
    if (value.isTensor()) {
      checker.look_at(value.toTensor(), i);
    } else if (value.isTensorList() ||
               (value.isList() && !value.isIntList() && !value.isDoubleList() && !value.isBoolList())) {
      look_at_list(checker, value, i);
    } else if (value.isGenerator()) {
      checker.look_at(value.toGenerator());
    } else if (value.isDevice()) {
      asked = value.toDevice();
    }
  }
  const auto& found = checker.finish(asked.has_value());
  if (asked.has_value()) {
    return asked->type() == device::kDeviceType ? device::resolve_device(*asked) : *asked;
  }
  return found.value_or(c10::Device(device::kDeviceType, device::current_device()));
}

}  // namespace openreg::fallback
