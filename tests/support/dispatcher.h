#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <string>

namespace openreg::test {

// The operator called "aten::add.Tensor".
c10::OperatorHandle find_operator(const std::string& name);

// What the dispatcher's computed table says of an operator at PrivateUse1: "registered at FILE:LINE [kernel]".
std::string device_kernel(const std::string& name);

}  // namespace openreg::test
