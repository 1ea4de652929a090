#include "ops/fill.h"

#include <ATen/ops/fill_ops.h>

#include "fallback/forwarded_kernel.h"

namespace openreg::ops {
namespace {

class FillTensor {
 public:
  explicit FillTensor(const c10::OperatorHandle& op) : forwarded_(op, &at::_ops::fill__Tensor::redispatch) {}

  at::Tensor& operator()(at::Tensor& self, const at::Tensor& value) {
    const bool elsewhere = !value.is_cpu() && value.dim() == 0 && value.device() != self.device();
    return C10_UNLIKELY(elsewhere) ? self.fill_(value.item()) : forwarded_(self, value);
  }

 private:
  fallback::ForwardedKernel<at::_ops::fill__Tensor::schema> forwarded_;
};

}  // namespace

void add_fill_tensor(torch::Library& library, const char* name, const c10::OperatorHandle& op) {
  library.impl(name, FillTensor(op));
}

}  // namespace openreg::ops
