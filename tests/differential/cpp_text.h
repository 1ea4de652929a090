#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <string>

namespace openreg::differential {

// A call as C++ that compiles: at::_ops::add_Tensor::call(at::tensor({1.f, 2.f}).to(dev).as_strided(...), ...).
std::string call_text(const c10::OperatorHandle& op, const torch::jit::Stack& arguments);

}  // namespace openreg::differential
