#include "ops/refused.h"

#include <c10/util/Exception.h>

#include "device/runtime.h"
#include "library.h"

namespace openreg::ops {
namespace {

void refuse_sparse(const c10::OperatorHandle& op, torch::jit::Stack*) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "Operator '", op.operator_name(), "' is not implemented for device ",
                              device::kBackendName, ". It makes a sparse tensor, and openreg has strided ones only: "
                              "keep the sparse tensor on the CPU, or make it dense with to_dense() before you move it.");
}

constexpr const char* kSparse[] = {
    "_sparse_compressed_tensor_unsafe", "_sparse_csr_tensor_unsafe", "_sparse_csc_tensor_unsafe",
    "_sparse_bsr_tensor_unsafe",        "_sparse_bsc_tensor_unsafe",
};

}  // namespace

void register_refused_operators() {
  auto& aten = library("aten", c10::DispatchKey::PrivateUse1);
  for (const char* op : kSparse) {
    aten.impl(op, torch::CppFunction::makeFromBoxedFunction<&refuse_sparse>());
  }
}

}  // namespace openreg::ops
