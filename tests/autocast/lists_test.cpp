#include <ATen/core/dispatch/Dispatcher.h>
#include <gtest/gtest.h>

#include <set>

#include "autocast/calls.h"
#include "support/dispatcher.h"

// Which operators autocast changes is what libtorch's own CUDA autocast does: its kernels are registered in every
// build of libtorch.
namespace openreg::test {
namespace {

std::set<std::string> operators_with_kernel_at(c10::DispatchKey key) {
  std::set<std::string> names;
  auto& dispatcher = c10::Dispatcher::singleton();
  for (const auto& name : dispatcher.getAllOpNames()) {
    const auto op = dispatcher.findSchema(name);
    if (op.has_value() && op->hasKernelForDispatchKey(key)) {
      names.insert(c10::toString(name));
    }
  }
  return names;
}

TEST(AutocastLists, AreThoseOfCuda) {
  auto expected = operators_with_kernel_at(c10::DispatchKey::AutocastCUDA);
  ASSERT_GT(expected.size(), 100U);
  for (const auto* of_cuda : {"aten::cudnn_convolution", "aten::cudnn_convolution_transpose"}) {
    expected.erase(of_cuda);
  }
  expected.insert("aten::rms_norm");  // newer versions of libtorch have it, openreg always
  EXPECT_EQ(operators_with_kernel_at(c10::DispatchKey::AutocastPrivateUse1), expected);
}

// libtorch refuses named tensors on other devices than CPU and CUDA.
bool takes_names(const std::string& name) {
  return name.find("imname") != std::string::npos || name.find("names_") != std::string::npos;
}

TEST(AutocastLists, EveryOperatorIsCalledByATest) {
  std::set<std::string> called = {"aten::binary_cross_entropy"};
  for (const auto* calls : {&lower_precision_calls(), &float_calls(), &float_result_calls(), &widest_calls()}) {
    for (const auto& [name, call] : *calls) {
      called.insert("aten::" + name);
    }
  }
  auto registered = operators_with_kernel_at(c10::DispatchKey::AutocastPrivateUse1);
  std::erase_if(registered, takes_names);
  EXPECT_EQ(called, registered);
}

}  // namespace
}  // namespace openreg::test
