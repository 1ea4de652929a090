// Calls operators through typed and boxed handles. Compiled without NDEBUG, libtorch's own trace is in this file.
#ifdef OPENREG_WITHOUT_NDEBUG
#undef NDEBUG
#endif
#include <iostream>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/add_ops.h>
#include <ATen/ops/ones.h>
#include <torch/library.h>

namespace {

at::Tensor add_in_kernel(const at::Tensor& x) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("aten::add", "Tensor").typed<at::_ops::add_Tensor::schema>();
  return op.call(x, x, 1);
}

TORCH_LIBRARY(openreg_debug_test, m) { m.def("add_in_kernel(Tensor x) -> Tensor", &add_in_kernel); }

}  // namespace

int main() {
  const at::Tensor x = at::ones({2});
  auto& dispatcher = c10::Dispatcher::singleton();
  std::cerr << "-- typed\n";
  const auto add = dispatcher.findSchemaOrThrow("aten::add", "Tensor").typed<at::_ops::add_Tensor::schema>();
#ifdef OPENREG_WITHOUT_NDEBUG
  add.call(x, x, 1);
#else
  at::_ops::add_Tensor::call(x, x, 1);
#endif
  std::cerr << "-- redispatch\n";
#ifdef OPENREG_WITHOUT_NDEBUG
  add.redispatch(c10::DispatchKeySet(c10::DispatchKey::CPU), x, x, 1);
#else
  at::_ops::add_Tensor::redispatch(c10::DispatchKeySet(c10::DispatchKey::CPU), x, x, 1);
#endif
  std::cerr << "-- boxed\n";
  torch::jit::Stack stack{x, x, 1};
  add.callBoxed(&stack);
  std::cerr << "-- custom\n";
  torch::jit::Stack custom{x};
  dispatcher.findSchemaOrThrow("openreg_debug_test::add_in_kernel", "").callBoxed(&custom);
  std::cerr << "-- boxed redispatch\n";
  stack = {x, x, 1};
#ifdef OPENREG_WITHOUT_NDEBUG
  add.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), &stack);
#endif
  std::cerr << "-- end\n";
  at::ones({1});
  return 0;
}
