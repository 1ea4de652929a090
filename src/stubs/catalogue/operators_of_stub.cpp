#include "stubs/catalogue/operators_of_stub.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

namespace openreg::stubs {
namespace {

struct Known {
  std::string_view stub;
  std::string_view op;
};

// Stubs whose names do not say which operator calls them.
constexpr Known kKnown[] = {
    {"GroupNormBackwardKernel", "native_group_norm_backward"},
    {"GroupNormKernel", "native_group_norm"},
    {"LayerNormBackwardKernel", "native_layer_norm_backward"},
    {"LayerNormKernel", "native_layer_norm"},
    {"lerp_kernel_scalar_weight", "lerp"},
    {"lerp_kernel_tensor_weight", "lerp"},
    {"log_sigmoid_cpu_stub", "log_sigmoid_forward"},
    {"max_pool2d_backward_kernel", "max_pool2d_with_indices_backward"},
    {"max_pool2d_kernel", "max_pool2d_with_indices"},
    {"max_pool3d_backward_kernel", "max_pool3d_with_indices_backward"},
    {"max_pool3d_kernel", "max_pool3d_with_indices"},
    {"pow_tensor_scalar_stub", "pow"},
    {"pow_tensor_tensor_stub", "pow"},
    {"quantize_tensor_per_tensor_affine_stub", "quantize_per_tensor"},
    {"shrink_backward_stub", "hardshrink_backward"},
};

std::string without(const std::string& name, std::string_view end) {
  return name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0
             ? name.substr(0, name.size() - end.size())
             : name;
}

// "GeluBackward" -> "gelu_backward"
std::string snake(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0) {
      result += result.empty() ? "" : "_";
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else {
      result += c;
    }
  }
  return result;
}

std::string operator_name(const std::string& stub) {
  for (const auto& known : kKnown) {
    if (known.stub == stub) return std::string(known.op);
  }
  const bool camel = without(stub, "Kernel") != stub;
  return camel ? snake(without(stub, "Kernel")) : without(without(stub, "_stub"), "_kernel");
}

}  // namespace

OperatorsOfStub::OperatorsOfStub() {
  for (const auto& name : c10::Dispatcher::singleton().getAllOpNames()) {
    constexpr std::string_view aten = "aten::";
    if (name.name.compare(0, aten.size(), aten) == 0) {
      overloads_[name.name.substr(aten.size())].push_back(
          name.overload_name.empty() ? name.name : name.name + "." + name.overload_name);
    }
  }
  for (auto& entry : overloads_) {
    std::sort(entry.second.begin(), entry.second.end());
  }
}

std::vector<std::string> OperatorsOfStub::find(const std::string& stub) const {
  auto base = operator_name(stub);
  if (overloads_.count(base) == 0) {
    base = without(base, "_cpu");  // grid_sampler_2d_cpu_kernel
  }
  std::vector<std::string> result;
  for (const auto& name : {base, base + "_"}) {
    if (const auto found = overloads_.find(name); found != overloads_.end()) {
      result.insert(result.end(), found->second.begin(), found->second.end());
    }
  }
  return result;
}

bool has_native_kernel(const std::string& op) {
  const auto dot = op.find('.');
  const auto handle =
      c10::Dispatcher::singleton().findOp({op.substr(0, dot), dot == std::string::npos ? "" : op.substr(dot + 1)});
  if (!handle.has_value() || !handle->hasKernelForDispatchKey(c10::DispatchKey::PrivateUse1)) {
    return false;
  }
  // "PrivateUse1: registered at FILE:LINE :: SCHEMA [ boxed unboxed ]"; a replaced kernel's line has "(inactive)"
  // before the colon.
  std::istringstream state(handle->dumpState());
  for (std::string line; std::getline(state, line);) {
    if (line.rfind("PrivateUse1: ", 0) == 0) {
      return line.find(" unboxed", line.rfind('[')) != std::string::npos;
    }
  }
  return false;
}

}  // namespace openreg::stubs
