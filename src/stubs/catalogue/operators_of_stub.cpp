#include "stubs/catalogue/operators_of_stub.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace openreg::stubs {
namespace {

struct Known {
  std::string_view stub;
  std::string_view op;
};

// Stubs whose names do not say which operator calls them. A stub with two operators is here twice.
constexpr Known kKnown[] = {
    {"GroupNormBackwardKernel", "native_group_norm_backward"},
    {"GroupNormKernel", "native_group_norm"},
    {"LayerNormBackwardKernel", "native_layer_norm_backward"},
    {"LayerNormKernel", "native_layer_norm"},
    {"aminmax_allreduce_stub", "aminmax"},
    {"and_stub", "all"},
    {"bernoulli_scalar_stub", "bernoulli"},
    {"bernoulli_tensor_stub", "bernoulli"},
    {"cat_serial_stub", "cat"},
    {"clamp_max_scalar_stub", "clamp_max"},
    {"clamp_min_scalar_stub", "clamp_min"},
    {"clamp_scalar_stub", "clamp"},
    {"div_floor_stub", "div"},
    {"div_floor_stub", "floor_divide"},
    {"div_true_stub", "div"},
    {"div_trunc_stub", "div"},
    {"flash_attention_backward_kernel", "_scaled_dot_product_flash_attention_for_cpu_backward"},
    {"flash_attention_kernel", "_scaled_dot_product_flash_attention_for_cpu"},
    {"huber_backward_stub", "huber_loss_backward"},
    {"huber_stub", "huber_loss"},
    {"isin_default_stub", "isin"},
    {"lerp_kernel_scalar_weight", "lerp"},
    {"lerp_kernel_tensor_weight", "lerp"},
    {"log_sigmoid_cpu_stub", "log_sigmoid_forward"},
    {"log_softmax_kernel", "_log_softmax"},
    {"log_softmax_lastdim_kernel", "_log_softmax"},
    {"log_softmax_backward_kernel", "_log_softmax_backward_data"},
    {"log_softmax_backward_lastdim_kernel", "_log_softmax_backward_data"},
    {"lshift_stub", "__lshift__"},
    {"max_all_stub", "max"},
    {"max_pool2d_backward_kernel", "max_pool2d_with_indices_backward"},
    {"max_pool2d_kernel", "max_pool2d_with_indices"},
    {"max_pool3d_backward_kernel", "max_pool3d_with_indices_backward"},
    {"max_pool3d_kernel", "max_pool3d_with_indices"},
    {"max_values_stub", "amax"},
    {"min_all_stub", "min"},
    {"min_values_stub", "amin"},
    {"mse_backward_stub", "mse_loss_backward"},
    {"mse_stub", "mse_loss"},
    {"multinomial_with_replacement_stub", "multinomial"},
    {"or_stub", "any"},
    {"pow_tensor_scalar_stub", "pow"},
    {"pow_tensor_tensor_stub", "pow"},
    {"prelu_backward_stub", "_prelu_kernel_backward"},
    {"prelu_stub", "_prelu_kernel"},
    {"quantize_tensor_per_channel_affine_stub", "quantize_per_channel"},
    {"quantize_tensor_per_tensor_affine_stub", "quantize_per_tensor"},
    {"random_from_to_stub", "random"},
    {"random_full_64_bits_range_stub", "random"},
    {"round_decimals_stub", "round"},
    {"rshift_stub", "__rshift__"},
    {"scatter_fill_stub", "scatter"},
    {"scatter_reduce_two_stub", "scatter_reduce"},
    {"scatter_scalar_reduce_stub", "scatter"},
    {"shrink_backward_stub", "hardshrink_backward"},
    {"shrink_backward_stub", "softshrink_backward"},
    {"smooth_l1_backward_stub", "smooth_l1_loss_backward"},
    {"smooth_l1_stub", "smooth_l1_loss"},
    {"softmax_backward_kernel", "_softmax_backward_data"},
    {"softmax_backward_lastdim_kernel", "_softmax_backward_data"},
    {"softmax_kernel", "_softmax"},
    {"softmax_lastdim_kernel", "_softmax"},
    {"stack_serial_stub", "stack"},
    {"std_var_stub", "std"},
    {"std_var_stub", "var"},
    {"unpack_pivots_stub", "lu_unpack"},
    {"weight_norm_backward_stub", "_weight_norm_interface_backward"},
    {"weight_norm_stub", "_weight_norm_interface"},
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

// What the name itself says: "abs_stub" -> "abs", "GeluKernel" -> "gelu".
std::string base_name(const std::string& stub) {
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
  std::vector<std::string> result;
  const auto take = [&](const std::string& name) {
    for (const auto& spelling : {name, name + "_"}) {
      if (const auto found = overloads_.find(spelling); found != overloads_.end()) {
        result.insert(result.end(), found->second.begin(), found->second.end());
      }
    }
  };
  for (const auto& known : kKnown) {
    if (known.stub == stub) take(std::string(known.op));
  }
  const auto base = base_name(stub);
  // ldl_solve_stub, zeta_stub, grid_sampler_2d_cpu_kernel, cdist_backward_stub
  for (const auto& name : {base, "linalg_" + base, "special_" + base, without(base, "_cpu"), "_" + base}) {
    if (result.empty()) take(name);
  }
  return result;
}

}  // namespace openreg::stubs
