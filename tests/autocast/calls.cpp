#include "autocast/calls.h"

#include <torch/torch.h>

#include "support/samples.h"

namespace openreg::test {

at::Tensor Inputs::operator()(at::IntArrayRef sizes) {
  const auto generator = at::make_generator<at::CPUGeneratorImpl>(++count_);
  const auto dtype = next_.value_or(dtype_);
  next_.reset();
  return at::rand(sizes, generator).mul(0.8).add(0.1).to(rounded_to_).to(dtype).to(device());
}

Inputs& Inputs::next_in(at::ScalarType dtype) {
  next_ = dtype;
  return *this;
}

namespace {

at::Tensor integers(std::initializer_list<std::int64_t> values) {
  return at::tensor(at::ArrayRef<std::int64_t>(values), at::kLong).to(device());
}

// C++ gives the arguments of a function in any order, those in braces in theirs.
struct Three {
  at::Tensor a, b, c;
};

using In = Inputs&;

}  // namespace

const Calls& lower_precision_calls() {
  using Names = at::IntArrayRef;
  static const Calls calls = {
      {"_convolution",
       [](In in) {
         const Three t{in({1, 2, 4, 4}), in({3, 2, 2, 2}), in({3})};
         return at::_convolution(t.a, t.b, t.c, {1, 1}, {0, 0}, {1, 1}, false, {0, 0}, 1, false, false, true, false);
       }},
      {"_convolution.deprecated",
       [](In in) {
         const Three t{in({1, 2, 4, 4}), in({3, 2, 2, 2}), in({3})};
         const Names one{1, 1};
         const Names none{0, 0};
         return at::_convolution(t.a, t.b, t.c, one, none, one, false, none, 1, false, false, true);
       }},
      {"_scaled_dot_product_flash_attention",
       [](In in) {
         const Three t{in({1, 2, 4, 8}), in({1, 2, 4, 8}), in({1, 2, 4, 8})};
         return std::get<0>(at::_scaled_dot_product_flash_attention(t.a, t.b, t.c));
       }},
      {"_thnn_fused_gru_cell",
       [](In in) {
         const Three t{in({2, 9}), in({2, 9}), in({2, 3})};
         return std::get<0>(at::_thnn_fused_gru_cell(t.a, t.b, t.c));
       }},
      {"_thnn_fused_lstm_cell",
       [](In in) {
         const Three t{in({2, 12}), in({2, 12}), in({2, 3})};
         return std::get<0>(at::_thnn_fused_lstm_cell(t.a, t.b, t.c));
       }},
      {"addbmm",
       [](In in) {
         const Three t{in({2, 4}), in({3, 2, 5}), in({3, 5, 4})};
         return at::addbmm(t.a, t.b, t.c);
       }},
      {"addmm",
       [](In in) {
         const Three t{in({2, 4}), in({2, 5}), in({5, 4})};
         return at::addmm(t.a, t.b, t.c);
       }},
      {"addmv",
       [](In in) {
         const Three t{in({2}), in({2, 5}), in({5})};
         return at::addmv(t.a, t.b, t.c);
       }},
      {"addr",
       [](In in) {
         const Three t{in({2, 5}), in({2}), in({5})};
         return at::addr(t.a, t.b, t.c);
       }},
      {"baddbmm",
       [](In in) {
         const Three t{in({3, 2, 4}), in({3, 2, 5}), in({3, 5, 4})};
         return at::baddbmm(t.a, t.b, t.c);
       }},
      {"bmm",
       [](In in) {
         const Three t{in({3, 2, 5}), in({3, 5, 4}), {}};
         return at::bmm(t.a, t.b);
       }},
      {"chain_matmul",
       [](In in) {
         const std::vector<at::Tensor> list{in({2, 3}), in({3, 4}), in({4, 2})};
         return at::chain_matmul(list);
       }},
      {"conv1d",
       [](In in) {
         const Three t{in({1, 2, 6}), in({3, 2, 2}), in({3})};
         return at::conv1d(t.a, t.b, t.c);
       }},
      {"conv2d",
       [](In in) {
         const Three t{in({1, 2, 6, 6}), in({3, 2, 2, 2}), in({3})};
         return at::conv2d(t.a, t.b, t.c);
       }},
      {"conv3d",
       [](In in) {
         const Three t{in({1, 2, 4, 4, 4}), in({3, 2, 2, 2, 2}), in({3})};
         return at::conv3d(t.a, t.b, t.c);
       }},
      {"conv_tbc",
       [](In in) {
         const Three t{in({6, 1, 2}), in({2, 2, 3}), in({3})};
         return at::conv_tbc(t.a, t.b, t.c);
       }},
      {"conv_transpose1d",
       [](In in) {
         const Three t{in({1, 2, 6}), in({2, 3, 2}), in({3})};
         return at::conv_transpose1d(t.a, t.b, t.c);
       }},
      {"conv_transpose2d.input",
       [](In in) {
         const Three t{in({1, 2, 4, 4}), in({2, 3, 2, 2}), in({3})};
         return at::conv_transpose2d(t.a, t.b, t.c);
       }},
      {"conv_transpose3d.input",
       [](In in) {
         const Three t{in({1, 2, 3, 3, 3}), in({2, 3, 2, 2, 2}), in({3})};
         return at::conv_transpose3d(t.a, t.b, t.c);
       }},
      {"convolution",
       [](In in) {
         const Three t{in({1, 2, 4, 4}), in({3, 2, 2, 2}), in({3})};
         return at::convolution(t.a, t.b, t.c, {1, 1}, {0, 0}, {1, 1}, false, {0, 0}, 1);
       }},
      {"einsum",
       [](In in) {
         const std::vector<at::Tensor> list{in({2, 3}), in({3, 4})};
         return at::einsum("ij,jk->ik", list);
       }},
      {"gru_cell",
       [](In in) {
         const Three t{in({2, 4}), in({2, 3}), in({9, 4})};
         const auto hidden = in({9, 3});
         return at::gru_cell(t.a, t.b, t.c, hidden);
       }},
      {"linalg_multi_dot",
       [](In in) {
         const std::vector<at::Tensor> list{in({2, 3}), in({3, 4}), in({4, 2})};
         return at::linalg_multi_dot(list);
       }},
      {"linalg_vecdot",
       [](In in) {
         const Three t{in({3, 4}), in({3, 4}), {}};
         return at::linalg_vecdot(t.a, t.b);
       }},
      {"linear",
       [](In in) {
         const Three t{in({2, 4}), in({3, 4}), in({3})};
         return at::linear(t.a, t.b, t.c);
       }},
      {"lstm_cell",
       [](In in) {
         const auto input = in({2, 4});
         const std::vector<at::Tensor> state{in({2, 3}), in({2, 3})};
         const Three t{in({12, 4}), in({12, 3}), {}};
         return std::get<0>(at::lstm_cell(input, state, t.a, t.b));
       }},
      {"matmul",
       [](In in) {
         const Three t{in({3, 2, 5}), in({5, 4}), {}};
         return at::matmul(t.a, t.b);
       }},
      {"mm",
       [](In in) {
         const Three t{in({2, 5}), in({5, 4}), {}};
         return at::mm(t.a, t.b);
       }},
      {"mv",
       [](In in) {
         const Three t{in({2, 5}), in({5}), {}};
         return at::mv(t.a, t.b);
       }},
      {"prelu",
       [](In in) {
         const Three t{in({2, 5}), in({1}), {}};
         return at::prelu(t.a, t.b);
       }},
      {"rnn_relu_cell",
       [](In in) {
         const Three t{in({2, 4}), in({2, 3}), in({3, 4})};
         const auto hidden = in({3, 3});
         return at::rnn_relu_cell(t.a, t.b, t.c, hidden);
       }},
      {"rnn_tanh_cell",
       [](In in) {
         const Three t{in({2, 4}), in({2, 3}), in({3, 4})};
         const auto hidden = in({3, 3});
         return at::rnn_tanh_cell(t.a, t.b, t.c, hidden);
       }},
      {"scaled_dot_product_attention",
       [](In in) {
         const Three t{in({1, 2, 4, 8}), in({1, 2, 4, 8}), in({1, 2, 4, 8})};
         return at::scaled_dot_product_attention(t.a, t.b, t.c);
       }},
  };
  return calls;
}

namespace {

using Unary = at::Tensor (*)(const at::Tensor&);
using Binary = std::function<at::Tensor(const at::Tensor&, const at::Tensor&)>;

std::function<at::Tensor(In)> unary(Unary op) {
  return [op](In in) { return op(in({2, 3})); };
}

std::function<at::Tensor(In)> binary(Binary op) {
  return [op](In in) {
    const Three t{in({2, 3}), in({2, 3}), {}};
    return op(t.a, t.b);
  };
}

std::function<at::Tensor(In)> resized(std::vector<std::int64_t> sizes,
                                      std::function<at::Tensor(const at::Tensor&)> op) {
  return [sizes, op](In in) { return op(in(sizes)); };
}

using T = const at::Tensor&;

#if __has_include(<ATen/core/Dimname.h>)
at::Dimname dimension(const char* name) { return at::Dimname::fromSymbol(at::Symbol::dimname(name)); }
at::Dimname second() { return dimension("second"); }
at::Tensor named(T x) { return x.rename(std::vector<at::Dimname>{dimension("first"), second()}); }
#endif

}  // namespace

const Calls& float_calls() {
  static Calls calls = {
      {"_upsample_bicubic2d_aa", resized({1, 1, 4, 4},
                                         [](T x) {
                                           return at::_upsample_bicubic2d_aa(x, {6, 6}, false);
                                         })},
      {"_upsample_bilinear2d_aa", resized({1, 1, 4, 4},
                                          [](T x) {
                                            return at::_upsample_bilinear2d_aa(x, {6, 6}, false);
                                          })},
      {"_upsample_nearest_exact1d", resized({1, 1, 4}, [](T x) { return at::_upsample_nearest_exact1d(x, 6); })},
      {"_upsample_nearest_exact2d", resized({1, 1, 4, 4},
                                            [](T x) {
                                              return at::_upsample_nearest_exact2d(x, {6, 6});
                                            })},
      {"_upsample_nearest_exact3d", resized({1, 1, 2, 2, 2},
                                            [](T x) {
                                              return at::_upsample_nearest_exact3d(x, {3, 3, 3});
                                            })},
      {"acos", unary(&at::acos)},
      {"asin", unary(&at::asin)},
      {"binary_cross_entropy_with_logits", binary([](T x, T y) { return at::binary_cross_entropy_with_logits(x, y); })},
      {"cdist", binary([](T x, T y) { return at::cdist(x, y); })},
      {"cosh", unary(&at::cosh)},
      {"cosine_embedding_loss", binary([](T x, T y) {
         return at::cosine_embedding_loss(x, y, integers({1, -1}));
       })},
      {"cosine_similarity", binary([](T x, T y) { return at::cosine_similarity(x, y); })},
      {"dist", binary([](T x, T y) { return at::dist(x, y); })},
      {"erfinv", unary(&at::erfinv)},
      {"exp", unary(&at::exp)},
      {"expm1", unary(&at::expm1)},
      {"frobenius_norm.dim", resized({2, 3}, [](T x) { return at::frobenius_norm(x, {1}); })},
      {"group_norm", resized({2, 4, 3}, [](T x) { return at::group_norm(x, 2); })},
      {"hinge_embedding_loss", resized({2},
                                       [](T x) {
                                         return at::hinge_embedding_loss(x, integers({1, -1}));
                                       })},
      {"huber_loss", binary([](T x, T y) { return at::huber_loss(x, y); })},
      {"kl_div", binary([](T x, T y) { return at::kl_div(x, y); })},
      {"l1_loss", binary([](T x, T y) { return at::l1_loss(x, y); })},
      {"layer_norm", resized({2, 3}, [](T x) { return at::layer_norm(x, {3}); })},
      {"log", unary(&at::log)},
      {"log10", unary(&at::log10)},
      {"log1p", unary(&at::log1p)},
      {"log2", unary(&at::log2)},
      {"logsumexp", resized({2, 3}, [](T x) { return at::logsumexp(x, {1}); })},
      {"margin_ranking_loss", resized({2},
                                      [](T x) {
                                        return at::margin_ranking_loss(x, x.flip(0), integers({1, -1}));
                                      })},
      {"mse_loss", binary([](T x, T y) { return at::mse_loss(x, y); })},
      {"multi_margin_loss", resized({2, 3},
                                    [](T x) {
                                      return at::multi_margin_loss(x, integers({1, 2}));
                                    })},
      {"multilabel_margin_loss", resized({3},
                                         [](T x) {
                                           return at::multilabel_margin_loss(x, integers({1, 0, -1}));
                                         })},
      {"native_layer_norm",
       resized({2, 3}, [](T x) { return std::get<0>(at::native_layer_norm(x, {3}, {}, {}, 1e-5)); })},
      {"nll_loss", resized({2, 3},
                           [](T x) {
                             return at::nll_loss(x, integers({1, 2}));
                           })},
      {"nll_loss2d", resized({1, 3, 2, 2},
                             [](T x) {
                               return at::nll_loss2d(x, integers({1, 2, 0, 1}).view({1, 2, 2}));
                             })},
      {"nuclear_norm", resized({2, 3}, [](T x) { return at::nuclear_norm(x); })},
      {"nuclear_norm.dim", resized({2, 3},
                                   [](T x) {
                                     return at::nuclear_norm(x, {0, 1});
                                   })},
      {"pdist", resized({4, 3}, [](T x) { return at::pdist(x); })},
      {"poisson_nll_loss", binary([](T x, T y) { return at::poisson_nll_loss(x, y, true, false, 1e-8, 1); })},
      {"pow.Scalar", resized({2, 3}, [](T x) { return at::pow(2, x); })},
      {"pow.Tensor_Scalar", resized({2, 3}, [](T x) { return at::pow(x, 2.5); })},
      {"pow.Tensor_Tensor", binary([](T x, T y) { return at::pow(x, y); })},
      {"reciprocal", unary(&at::reciprocal)},
      {"renorm", resized({2, 3}, [](T x) { return at::renorm(x, 2, 0, 0.5); })},
      {"rms_norm", resized({2, 3}, [](T x) { return at::rms_norm(x, {3}); })},
      {"rsqrt", unary(&at::rsqrt)},
      {"sinh", unary(&at::sinh)},
      {"smooth_l1_loss", binary([](T x, T y) { return at::smooth_l1_loss(x, y); })},
      {"soft_margin_loss", binary([](T x, T y) { return at::soft_margin_loss(x, y); })},
      {"softplus", resized({2, 3}, [](T x) { return at::softplus(x); })},
      {"tan", unary(&at::tan)},
      {"triplet_margin_loss", binary([](T x, T y) { return at::triplet_margin_loss(x, y, y.flip(0)); })},
      {"upsample_bicubic2d", resized({1, 1, 4, 4},
                                     [](T x) {
                                       return at::upsample_bicubic2d(x, {6, 6}, false);
                                     })},
      {"upsample_bilinear2d", resized({1, 1, 4, 4},
                                      [](T x) {
                                        return at::upsample_bilinear2d(x, {6, 6}, false);
                                      })},
      {"upsample_linear1d", resized({1, 1, 4}, [](T x) { return at::upsample_linear1d(x, 6, false); })},
      {"upsample_nearest1d", resized({1, 1, 4}, [](T x) { return at::upsample_nearest1d(x, 6); })},
      {"upsample_nearest2d", resized({1, 1, 4, 4},
                                     [](T x) {
                                       return at::upsample_nearest2d(x, {6, 6});
                                     })},
      {"upsample_nearest3d", resized({1, 1, 2, 2, 2},
                                     [](T x) {
                                       return at::upsample_nearest3d(x, {3, 3, 3});
                                     })},
      {"upsample_trilinear3d", resized({1, 1, 2, 2, 2},
                                       [](T x) {
                                         return at::upsample_trilinear3d(x, {3, 3, 3}, false);
                                       })},
  };
#if __has_include(<ATen/ops/linalg_matrix_sqrth.h>)
  calls.try_emplace("linalg_matrix_sqrth", resized({2, 2}, [](T x) {
                      return at::linalg_matrix_sqrth(x.mul(0).add(at::eye(2, x.options())));
                    }));
#endif
  return calls;
}

const Calls& float_result_calls() {
  static Calls calls = {
      {"cumprod", resized({2, 3}, [](T x) { return at::cumprod(x, 1); })},
      {"cumsum", resized({2, 3}, [](T x) { return at::cumsum(x, 1); })},
      {"linalg_matrix_norm", resized({2, 3}, [](T x) { return at::linalg_matrix_norm(x, 1); })},
      {"linalg_matrix_norm.str_ord", resized({2, 3}, [](T x) { return at::linalg_matrix_norm(x, "fro"); })},
      {"linalg_vector_norm", resized({2, 3}, [](T x) { return at::linalg_vector_norm(x); })},
      {"log_softmax.int", resized({2, 3}, [](T x) { return at::log_softmax(x, 1); })},
      {"norm.Scalar", resized({2, 3}, [](T x) { return at::norm(x, 2); })},
      {"norm.ScalarOpt_dim", resized({2, 3}, [](T x) { return at::norm(x, 2, {1}); })},
      {"prod", resized({2, 3}, [](T x) { return at::prod(x); })},
      {"prod.dim_int", resized({2, 3}, [](T x) { return at::prod(x, 1); })},
      {"softmax.int", resized({2, 3}, [](T x) { return at::softmax(x, 1); })},
      {"sum", resized({2, 3}, [](T x) { return at::sum(x); })},
      {"sum.dim_IntList", resized({2, 3}, [](T x) { return at::sum(x, {1}); })},
  };
#if __has_include(<ATen/core/Dimname.h>)
  calls.try_emplace("cumprod.dimname",
                    resized({2, 3}, [](T x) { return at::cumprod(named(x), second()).rename(std::nullopt); }));
  calls.try_emplace("cumsum.dimname",
                    resized({2, 3}, [](T x) { return at::cumsum(named(x), second()).rename(std::nullopt); }));
  calls.try_emplace("log_softmax.Dimname",
                    resized({2, 3}, [](T x) { return at::log_softmax(named(x), second()).rename(std::nullopt); }));
  calls.try_emplace("prod.dim_Dimname",
                    resized({2, 3}, [](T x) { return at::prod(named(x), second()).rename(std::nullopt); }));
  calls.try_emplace("softmax.Dimname",
                    resized({2, 3}, [](T x) { return at::softmax(named(x), second()).rename(std::nullopt); }));
  calls.try_emplace("sum.dim_DimnameList",
                    resized({2, 3}, [](T x) { return at::sum(named(x), {second()}).rename(std::nullopt); }));
#endif
  return calls;
}

const Calls& widest_calls() {
  static const Calls calls = {
      {"addcdiv",
       [](In in) {
         const Three t{in({2, 3}), in({2, 3}), in({2, 3})};
         return at::addcdiv(t.a, t.b, t.c);
       }},
      {"addcmul",
       [](In in) {
         const Three t{in({2, 3}), in({2, 3}), in({2, 3})};
         return at::addcmul(t.a, t.b, t.c);
       }},
      {"atan2", binary([](T x, T y) { return at::atan2(x, y); })},
      {"bilinear",
       [](In in) {
         const Three t{in({2, 3}), in({2, 4}), in({5, 3, 4})};
         return at::bilinear(t.a, t.b, t.c);
       }},
      {"cross", binary([](T x, T y) { return at::cross(x, y, 1); })},
      {"dot",
       [](In in) {
         const Three t{in({5}), in({5}), {}};
         return at::dot(t.a, t.b);
       }},
      {"grid_sampler",
       [](In in) {
         const Three t{in({1, 1, 4, 4}), in({1, 3, 3, 2}), {}};
         return at::grid_sampler(t.a, t.b, 0, 0, false);
       }},
      {"index_put",
       [](In in) {
         const Three t{in({4}), in({2}), {}};
         return at::index_put(t.a, {integers({0, 2})}, t.b);
       }},
      {"scatter_add",
       [](In in) {
         const Three t{in({4}), in({2}), {}};
         return at::scatter_add(t.a, 0, integers({0, 2}), t.b);
       }},
      {"tensordot", binary([](T x, T y) { return at::tensordot(x, y, {1}, {1}); })},
      {"vdot",
       [](In in) {
         const Three t{in({5}), in({5}), {}};
         return at::vdot(t.a, t.b);
       }},
  };
  return calls;
}

}  // namespace openreg::test
