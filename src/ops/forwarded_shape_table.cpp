#include <ATen/core/Tensor.h>

#include <ATen/ops/_stack_ops.h>
#include <ATen/ops/amax_ops.h>
#include <ATen/ops/arange_ops.h>
#include <ATen/ops/argmax_ops.h>
#include <ATen/ops/cat_ops.h>
#include <ATen/ops/cumsum_ops.h>
#include <ATen/ops/embedding_ops.h>
#include <ATen/ops/gather_ops.h>
#include <ATen/ops/index_select_ops.h>
#include <ATen/ops/max_ops.h>
#include <ATen/ops/mean_ops.h>
#include <ATen/ops/sum_ops.h>

#include "fallback/forwarded_kernel.h"
#include "library.h"
#include "ops/forwarded.h"

namespace openreg::ops {
namespace {

using fallback::forwarded;

// Operators that put together, select and sum up.
constexpr fallback::Forwarded kShape[] = {
    forwarded<at::_ops::cat>(),
    forwarded<at::_ops::cat_out>(),
    forwarded<at::_ops::_stack>(),
    forwarded<at::_ops::_stack_out>(),
    forwarded<at::_ops::index_select>(),
    forwarded<at::_ops::index_select_out>(),
    forwarded<at::_ops::gather>(),
    forwarded<at::_ops::gather_out>(),
    forwarded<at::_ops::embedding>(),
    forwarded<at::_ops::sum_dim_IntList>(),
    forwarded<at::_ops::sum_IntList_out>(),
    forwarded<at::_ops::mean_dim>(),
    forwarded<at::_ops::mean_out>(),
    forwarded<at::_ops::max>(),
    forwarded<at::_ops::max_dim>(),
    forwarded<at::_ops::max_dim_max>(),
    forwarded<at::_ops::amax>(),
    forwarded<at::_ops::amax_out>(),
    forwarded<at::_ops::argmax>(),
    forwarded<at::_ops::argmax_out>(),
    forwarded<at::_ops::cumsum>(),
    forwarded<at::_ops::cumsum_>(),
    forwarded<at::_ops::cumsum_out>(),
    forwarded<at::_ops::arange_start_out>(),
};

}  // namespace

void register_forwarded_shape() { register_forwarded(library("aten", c10::DispatchKey::PrivateUse1), kShape); }

}  // namespace openreg::ops
