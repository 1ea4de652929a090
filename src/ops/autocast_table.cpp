#include <ATen/core/dispatch/Dispatcher.h>

#include "library.h"
#include "ops/autocast.h"

namespace openreg::ops {
namespace {

using BoxedKernel = void(const c10::OperatorHandle&, torch::jit::Stack*);

// The lists of CUDA's autocast, of all versions of libtorch taken together.
constexpr const char* kLowerPrecision[] = {"_convolution",
                                           "_convolution.deprecated",
                                           "_scaled_dot_product_flash_attention",
                                           "_thnn_fused_gru_cell",
                                           "_thnn_fused_lstm_cell",
                                           "addbmm",
                                           "addmm",
                                           "addmv",
                                           "addr",
                                           "baddbmm",
                                           "bmm",
                                           "chain_matmul",
                                           "conv1d",
                                           "conv2d",
                                           "conv3d",
                                           "conv_tbc",
                                           "conv_transpose1d",
                                           "conv_transpose2d.input",
                                           "conv_transpose3d.input",
                                           "convolution",
                                           "einsum",
                                           "gru_cell",
                                           "linalg_multi_dot",
                                           "linalg_vecdot",
                                           "linear",
                                           "lstm_cell",
                                           "matmul",
                                           "mm",
                                           "mv",
                                           "prelu",
                                           "rnn_relu_cell",
                                           "rnn_tanh_cell",
                                           "scaled_dot_product_attention"};

constexpr const char* kFloat[] = {"_upsample_bicubic2d_aa",
                                  "_upsample_bilinear2d_aa",
                                  "_upsample_nearest_exact1d",
                                  "_upsample_nearest_exact2d",
                                  "_upsample_nearest_exact3d",
                                  "acos",
                                  "asin",
                                  "binary_cross_entropy_with_logits",
                                  "cdist",
                                  "cosh",
                                  "cosine_embedding_loss",
                                  "cosine_similarity",
                                  "dist",
                                  "erfinv",
                                  "exp",
                                  "expm1",
                                  "frobenius_norm.dim",
                                  "group_norm",
                                  "hinge_embedding_loss",
                                  "huber_loss",
                                  "kl_div",
                                  "l1_loss",
                                  "layer_norm",
                                  "linalg_matrix_sqrth",
                                  "log",
                                  "log10",
                                  "log1p",
                                  "log2",
                                  "logsumexp",
                                  "margin_ranking_loss",
                                  "mse_loss",
                                  "multi_margin_loss",
                                  "multilabel_margin_loss",
                                  "native_layer_norm",
                                  "nll_loss",
                                  "nll_loss2d",
                                  "nuclear_norm",
                                  "nuclear_norm.dim",
                                  "pdist",
                                  "poisson_nll_loss",
                                  "pow.Scalar",
                                  "pow.Tensor_Scalar",
                                  "pow.Tensor_Tensor",
                                  "reciprocal",
                                  "renorm",
                                  "rms_norm",
                                  "rsqrt",
                                  "sinh",
                                  "smooth_l1_loss",
                                  "soft_margin_loss",
                                  "softplus",
                                  "tan",
                                  "triplet_margin_loss",
                                  "upsample_bicubic2d",
                                  "upsample_bilinear2d",
                                  "upsample_linear1d",
                                  "upsample_nearest1d",
                                  "upsample_nearest2d",
                                  "upsample_nearest3d",
                                  "upsample_trilinear3d"};

constexpr const char* kFloatResult[] = {"cumprod",
                                        "cumprod.dimname",
                                        "cumsum",
                                        "cumsum.dimname",
                                        "linalg_matrix_norm",
                                        "linalg_matrix_norm.str_ord",
                                        "linalg_vector_norm",
                                        "log_softmax.Dimname",
                                        "log_softmax.int",
                                        "prod",
                                        "prod.dim_Dimname",
                                        "prod.dim_int",
                                        "softmax.Dimname",
                                        "softmax.int",
                                        "sum",
                                        "sum.dim_DimnameList",
                                        "sum.dim_IntList"};

constexpr const char* kWidest[] = {"addcdiv",      "addcmul",   "atan2",       "bilinear",  "cross", "dot",
                                   "grid_sampler", "index_put", "scatter_add", "tensordot", "vdot"};

struct Overload {
  const char* name;
  const char* with_dtype;
};

constexpr Overload kAppendFloat[] = {{"norm.Scalar", "norm.ScalarOpt_dtype"},
                                     {"norm.ScalarOpt_dim", "norm.ScalarOpt_dim_dtype"},
                                     {"norm.names_ScalarOpt_dim", "norm.names_ScalarOpt_dim_dtype"}};

constexpr const char* kRefused[] = {"binary_cross_entropy"};

// Versions of libtorch differ in what operators they have.
std::optional<c10::OperatorHandle> find(const std::string& name) {
  const auto dot = name.find('.');
  return c10::Dispatcher::singleton().findSchema(
      {"aten::" + name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)});
}

template <BoxedKernel* kernel>
void register_list(torch::Library& autocast, at::ArrayRef<const char*> names) {
  for (const char* name : names) {
    if (find(name).has_value()) {
      autocast.impl(name, torch::CppFunction::makeFromBoxedFunction<kernel>());
    }
  }
}

}  // namespace

void register_autocast_operators() {
  auto& autocast = library("aten", c10::DispatchKey::AutocastPrivateUse1);
  register_list<&cast_to_lower_precision>(autocast, kLowerPrecision);
  register_list<&cast_to_float>(autocast, kFloat);
  register_list<&set_dtype_to_float>(autocast, kFloatResult);
  register_list<&cast_to_widest>(autocast, kWidest);
  register_list<&refuse_under_autocast>(autocast, kRefused);
  for (const auto& [name, with_dtype] : kAppendFloat) {
    if (const auto target = find(with_dtype); find(name).has_value() && target.has_value()) {
      autocast.impl(name, torch::CppFunction::makeFromBoxedFunctor(std::make_unique<AppendFloat>(*target)));
    }
  }
}

}  // namespace openreg::ops
