#include "differential/exceptions.h"

#include <array>
#include <string_view>

namespace openreg::differential {
namespace {

struct Reason {
  std::string_view name;  // begins the operator's name, without aten::
  std::string_view why;
};

constexpr std::array kNotRun{
    Reason{"_cuda", "for CUDA alone"},
    Reason{"_cudnn", "for CUDA alone"},
    Reason{"_cufft", "for CUDA alone"},
    Reason{"cudnn", "for CUDA alone"},
    Reason{"miopen", "for ROCm alone"},
    Reason{"_mps", "for MPS alone"},
    Reason{"_lstm_mps", "for MPS alone"},
    Reason{"lstm_mps", "for MPS alone"},
    Reason{"mkldnn", "opaque MKL-DNN tensors"},
    Reason{"_mkldnn", "opaque MKL-DNN tensors"},
    Reason{"to_mkldnn", "opaque MKL-DNN tensors"},
    Reason{"quantize", "quantized tensors"},
    Reason{"_quantize", "quantized tensors"},
    Reason{"quantized", "quantized tensors"},
    Reason{"dequantize", "quantized tensors"},
    Reason{"_empty_affine", "quantized tensors"},
    Reason{"_empty_per_channel", "quantized tensors"},
    Reason{"_make_per", "quantized tensors"},
    Reason{"q_", "quantized tensors"},
    Reason{"int_repr", "quantized tensors"},
    Reason{"fbgemm", "opaque packed weights"},
    Reason{"_wrapped", "opaque packed weights"},
    Reason{"_saved_tensor", "opaque packed weights"},
    Reason{"_nested", "nested tensors"},
    Reason{"nested", "nested tensors"},
    Reason{"sparse", "sparse tensors"},
    Reason{"_sparse", "sparse tensors"},
    Reason{"_cslt", "sparse tensors"},
    Reason{"_coalesce", "sparse tensors"},
    Reason{"_validate_sparse", "sparse tensors"},
    Reason{"_validate_compressed", "sparse tensors"},
    Reason{"to_sparse", "sparse tensors"},
    Reason{"_to_sparse", "sparse tensors"},
    Reason{"to_dense", "sparse tensors"},
    Reason{"_to_dense", "sparse tensors"},
    Reason{"hspmm", "sparse tensors"},
    Reason{"sspaddmm", "sparse tensors"},
    Reason{"smm", "sparse tensors"},
    Reason{"indices", "sparse tensors"},
    Reason{"_indices", "sparse tensors"},
    Reason{"values", "sparse tensors"},
    Reason{"_values", "sparse tensors"},
    Reason{"crow_indices", "sparse tensors"},
    Reason{"col_indices", "sparse tensors"},
    Reason{"ccol_indices", "sparse tensors"},
    Reason{"row_indices", "sparse tensors"},
    Reason{"coalesce", "sparse tensors"},
    Reason{"is_coalesced", "sparse tensors"},
    Reason{"_nnz", "sparse tensors"},
    Reason{"_dimI", "sparse tensors"},
    Reason{"_dimV", "sparse tensors"},
    Reason{"sym_", "symbolic shapes"},
    Reason{"_thnn", "no CPU kernel"},
    Reason{"_pin_memory", "pinning is for CPU tensors"},
    Reason{"pin_memory", "pinning is for CPU tensors"},
    Reason{"is_pinned", "pinning is for CPU tensors"},
    Reason{"_autocast_to", "autocast's own, asks for the device"},
    Reason{"_grid_sampler_2d_cpu_fallback", "for CPUs alone"},
    Reason{"convolution_overrideable", "no CPU kernel"},
    Reason{"convolution_backward_overrideable", "no CPU kernel"},
    Reason{"_scaled_dot_product_fused_attention_overrideable", "no CPU kernel"},
    Reason{"_fused_sdp_choice", "asks for the device"},
    Reason{"get_device", "asks for the device"},
    Reason{"_add_relu.out", "returns another tensor than out on a CPU"},
    Reason{"_to_cpu", "result is on the CPU by its meaning"},
    Reason{"_test_", "libtorch's own tests"},
    Reason{"_foobar", "libtorch's own tests"},
    Reason{"_print", "prints"},
    Reason{"_nnpack", "NNPACK"},
    Reason{"from_file", "maps a file"},
    Reason{"_backward", "autograd's own"},
    Reason{"set_data", "autograd's own"},
    Reason{"_make_dual", "autograd's own"},
    Reason{"_unpack_dual", "autograd's own"},
    Reason{"_fw_primal", "autograd's own"},
    Reason{"retain_grad", "autograd's own"},
    Reason{"_add_batch_dim", "functorch's own"},
    Reason{"_remove_batch_dim", "functorch's own"},
    Reason{"record_stream", "streams"},
    Reason{"_copy_from", "kernels' own, one side is on the CPU"},
    Reason{"_dimname", "named tensors"},
    Reason{"rename", "named tensors"},
    Reason{"align_", "named tensors"},
    Reason{"refine_names", "named tensors"},
};

struct ArgumentName {
  std::string_view op;  // all overloads
  std::string_view argument;
};

constexpr std::array kOnCpu{
    ArgumentName{"_pack_padded_sequence", "lengths"},
    ArgumentName{"_pack_padded_sequence", "out1"},
    ArgumentName{"_pack_padded_sequence_backward", "batch_sizes"},
    ArgumentName{"_pad_packed_sequence", "batch_sizes"},
    ArgumentName{"lstm", "batch_sizes"},
    ArgumentName{"gru", "batch_sizes"},
    ArgumentName{"rnn_tanh", "batch_sizes"},
    ArgumentName{"rnn_relu", "batch_sizes"},
    ArgumentName{"tensor_split", "tensor_indices_or_sections"},
    ArgumentName{"_reshape_from_tensor", "shape"},
    ArgumentName{"_foreach_addcdiv", "scalars"},  // "Expected scalars to be on CPU"
    ArgumentName{"_foreach_addcmul", "scalars"},
    ArgumentName{"_foreach_addcdiv_", "scalars"},
    ArgumentName{"_foreach_addcmul_", "scalars"},
};

struct ResultName {
  std::string_view op;
  std::size_t index;
};

constexpr std::array kCpuResults{
    ResultName{"_shape_as_tensor", 0}, ResultName{"_pack_padded_sequence", 1},  // batch sizes
    ResultName{"_pad_packed_sequence", 1},                                      // lengths
};

// Each asks whether its input is on a CPU, and then computes, or refuses, in another way.
constexpr std::array kOwnWay{
    Reason{"rnn_tanh", "linear with or without MKL-DNN"},
    Reason{"rnn_relu", "linear with or without MKL-DNN"},
    Reason{"lstm", "fused cells of our own"},
    Reason{"gru", "fused cells of our own"},
    Reason{"lstm_cell", "fused cells of our own"},
    Reason{"gru_cell", "fused cells of our own"},
    Reason{"max_pool1d", "a kernel for CPUs that need no gradient"},
    Reason{"dropout", "fused on a device"},
    Reason{"_batch_norm_impl_index", "MKL-DNN or the plain kernel"},
    Reason{"linalg_lstsq", "LAPACK rounds by where its arguments lie"},
    Reason{"ldexp_", "a kernel for CPUs that refuses Bool; pow and mul elsewhere"},
    Reason{"_grouped_mm", "elsewhere it refuses strides that a GPU's matrix units cannot read"},
};

constexpr std::array kUndefinedValues{
    "empty",           "empty_like", "new_empty", "new_empty_strided", "empty_strided",  "empty_permuted",
    "resize",          "resize_",    "resize_as", "resize_as_",        "_resize_output", "_resize_output_",
    "empty_quantized", "set",        "set_",      "_make_dep_token"};

}  // namespace

std::string reason_to_skip(const std::string& name) {
  // Schemas call the type of such arguments str.
  const auto dot = name.find('.');
  const auto overload = dot == std::string::npos ? "" : name.substr(dot);
  if (overload.find("name") != std::string::npos) {
    return "named tensors";
  }
  const auto plain = name.substr(name.find("::") + 2);
  for (const auto& entry : kNotRun) {
    if (plain.compare(0, entry.name.size(), entry.name) == 0) return std::string(entry.why);
  }
  return "";
}

bool has_undefined_values(const std::string& name) {
  const auto plain = name.substr(name.find("::") + 2);
  for (const std::string_view entry : kUndefinedValues) {
    if (plain == entry) return true;
  }
  return false;
}

bool goes_its_own_way(const std::string& name) {
  const auto plain = name.substr(name.find("::") + 2);
  for (const auto& entry : kOwnWay) {
    if (plain == entry.name) return true;
  }
  return false;
}

bool stays_on_cpu(const std::string& name, const std::string& argument) {
  const auto plain = name.substr(name.find("::") + 2);
  for (const auto& entry : kOnCpu) {
    if (plain == entry.op && argument == entry.argument) return true;
  }
  return false;
}

bool result_on_cpu(const std::string& name, std::size_t index) {
  const auto plain = name.substr(name.find("::") + 2);
  for (const auto& entry : kCpuResults) {
    if (plain == entry.op && index == entry.index) return true;
  }
  return false;
}

bool both_lack_a_kernel(const std::string& cpu_error, const std::string& device_error) {
  return cpu_error.compare(0, 14, "Could not run ") == 0 &&
         device_error.find("is not implemented for device") != std::string::npos;
}

bool is_refusal(const std::string& error) {
  return error.find("openreg") != std::string::npos && error.find("strided tensors only") != std::string::npos;
}

}  // namespace openreg::differential
