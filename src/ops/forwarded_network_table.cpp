#include <ATen/core/Tensor.h>

#include <ATen/ops/_log_softmax_ops.h>
#include <ATen/ops/_native_batch_norm_legit_ops.h>
#include <ATen/ops/_softmax_ops.h>
#include <ATen/ops/addmm_ops.h>
#include <ATen/ops/baddbmm_ops.h>
#include <ATen/ops/bmm_ops.h>
#include <ATen/ops/convolution_ops.h>
#include <ATen/ops/mm_ops.h>
#include <ATen/ops/native_batch_norm_ops.h>
#include <ATen/ops/native_group_norm_ops.h>
#include <ATen/ops/native_layer_norm_ops.h>

#include "fallback/forwarded_kernel.h"
#include "library.h"
#include "ops/forwarded.h"

namespace openreg::ops {
namespace {

using fallback::forwarded;

// Products of matrices, convolution, normalisation.
constexpr fallback::Forwarded kNetwork[] = {
    forwarded<at::_ops::mm>(),
    forwarded<at::_ops::mm_out>(),
    forwarded<at::_ops::addmm>(),
    forwarded<at::_ops::addmm_>(),
    forwarded<at::_ops::addmm_out>(),
    forwarded<at::_ops::bmm>(),
    forwarded<at::_ops::bmm_out>(),
    forwarded<at::_ops::baddbmm>(),
    forwarded<at::_ops::baddbmm_>(),
    forwarded<at::_ops::baddbmm_out>(),
    forwarded<at::_ops::convolution>(),
    forwarded<at::_ops::_softmax>(),
    forwarded<at::_ops::_softmax_out>(),
    forwarded<at::_ops::_log_softmax>(),
    forwarded<at::_ops::_log_softmax_out>(),
    forwarded<at::_ops::native_layer_norm>(),
    forwarded<at::_ops::native_group_norm>(),
    forwarded<at::_ops::native_batch_norm>(),
    forwarded<at::_ops::_native_batch_norm_legit>(),
    forwarded<at::_ops::_native_batch_norm_legit_no_stats>(),
};

}  // namespace

void register_forwarded_network() { register_forwarded(library("aten", c10::DispatchKey::PrivateUse1), kNetwork); }

}  // namespace openreg::ops
