#include <ATen/core/Tensor.h>

#include <ATen/ops/add_ops.h>
#include <ATen/ops/clamp_ops.h>
#include <ATen/ops/div_ops.h>
#include <ATen/ops/eq_ops.h>
#include <ATen/ops/exp_ops.h>
#include <ATen/ops/fill_ops.h>
#include <ATen/ops/ge_ops.h>
#include <ATen/ops/gelu_ops.h>
#include <ATen/ops/gt_ops.h>
#include <ATen/ops/le_ops.h>
#include <ATen/ops/log_ops.h>
#include <ATen/ops/lt_ops.h>
#include <ATen/ops/masked_fill_ops.h>
#include <ATen/ops/maximum_ops.h>
#include <ATen/ops/minimum_ops.h>
#include <ATen/ops/mul_ops.h>
#include <ATen/ops/ne_ops.h>
#include <ATen/ops/neg_ops.h>
#include <ATen/ops/pow_ops.h>
#include <ATen/ops/relu_ops.h>
#include <ATen/ops/rsqrt_ops.h>
#include <ATen/ops/sigmoid_ops.h>
#include <ATen/ops/silu_ops.h>
#include <ATen/ops/sqrt_ops.h>
#include <ATen/ops/tanh_ops.h>
#include <ATen/ops/where_ops.h>
#include <ATen/ops/zero_ops.h>

#include "fallback/forwarded_kernel.h"
#include "library.h"
#include "ops/fill.h"
#include "ops/forwarded.h"

namespace openreg::ops {
namespace {

using fallback::forwarded;

// Operators that go element by element.
constexpr fallback::Forwarded kPointwise[] = {
    forwarded<at::_ops::add_Tensor>(),
    forwarded<at::_ops::add__Tensor>(),
    forwarded<at::_ops::add_out>(),
    forwarded<at::_ops::mul_Tensor>(),
    forwarded<at::_ops::mul__Tensor>(),
    forwarded<at::_ops::mul_out>(),
    forwarded<at::_ops::div_Tensor>(),
    forwarded<at::_ops::div__Tensor>(),
    forwarded<at::_ops::div_out>(),
    forwarded<at::_ops::div_Tensor_mode>(),
    forwarded<at::_ops::maximum>(),
    forwarded<at::_ops::maximum_out>(),
    forwarded<at::_ops::minimum>(),
    forwarded<at::_ops::minimum_out>(),
    forwarded<at::_ops::pow_Tensor_Scalar>(),
    forwarded<at::_ops::pow_Tensor_Scalar_out>(),
    forwarded<at::_ops::pow_Tensor_Tensor>(),
    forwarded<at::_ops::eq_Scalar>(),
    forwarded<at::_ops::eq_Tensor>(),
    forwarded<at::_ops::eq_Tensor_out>(),
    forwarded<at::_ops::ne_Scalar>(),
    forwarded<at::_ops::ne_Tensor>(),
    forwarded<at::_ops::ne_Tensor_out>(),
    forwarded<at::_ops::lt_Scalar>(),
    forwarded<at::_ops::lt_Tensor>(),
    forwarded<at::_ops::lt_Tensor_out>(),
    forwarded<at::_ops::le_Scalar>(),
    forwarded<at::_ops::le_Tensor>(),
    forwarded<at::_ops::le_Tensor_out>(),
    forwarded<at::_ops::gt_Scalar>(),
    forwarded<at::_ops::gt_Tensor>(),
    forwarded<at::_ops::gt_Tensor_out>(),
    forwarded<at::_ops::ge_Scalar>(),
    forwarded<at::_ops::ge_Tensor>(),
    forwarded<at::_ops::ge_Tensor_out>(),
    forwarded<at::_ops::where_self>(),
    forwarded<at::_ops::where_self_out>(),
    forwarded<at::_ops::masked_fill_Scalar>(),
    forwarded<at::_ops::masked_fill_Tensor>(),
    forwarded<at::_ops::masked_fill__Scalar>(),
    forwarded<at::_ops::masked_fill__Tensor>(),
    forwarded<at::_ops::clamp>(),
    forwarded<at::_ops::clamp_>(),
    forwarded<at::_ops::clamp_out>(),
    forwarded<at::_ops::neg>(),
    forwarded<at::_ops::neg_>(),
    forwarded<at::_ops::neg_out>(),
    forwarded<at::_ops::relu>(),
    forwarded<at::_ops::relu_>(),
    forwarded<at::_ops::gelu>(),
    forwarded<at::_ops::gelu_>(),
    forwarded<at::_ops::gelu_out>(),
    forwarded<at::_ops::silu>(),
    forwarded<at::_ops::silu_>(),
    forwarded<at::_ops::silu_out>(),
    forwarded<at::_ops::sigmoid>(),
    forwarded<at::_ops::sigmoid_>(),
    forwarded<at::_ops::sigmoid_out>(),
    forwarded<at::_ops::tanh>(),
    forwarded<at::_ops::tanh_>(),
    forwarded<at::_ops::tanh_out>(),
    forwarded<at::_ops::exp>(),
    forwarded<at::_ops::exp_>(),
    forwarded<at::_ops::exp_out>(),
    forwarded<at::_ops::log>(),
    forwarded<at::_ops::log_>(),
    forwarded<at::_ops::log_out>(),
    forwarded<at::_ops::sqrt>(),
    forwarded<at::_ops::sqrt_>(),
    forwarded<at::_ops::sqrt_out>(),
    forwarded<at::_ops::rsqrt>(),
    forwarded<at::_ops::rsqrt_>(),
    forwarded<at::_ops::rsqrt_out>(),
    forwarded<at::_ops::fill__Scalar>(),
    kFillTensor,
    forwarded<at::_ops::zero_>(),
};

}  // namespace

void register_forwarded_pointwise() { register_forwarded(library("aten", c10::DispatchKey::PrivateUse1), kPointwise); }

}  // namespace openreg::ops
