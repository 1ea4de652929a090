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

using Names = std::set<std::string>;

Names without(const Names& names, const Names& others) {
  Names rest;
  for (const auto& name : names) {
    if (others.count(name) == 0) rest.insert(name);
  }
  return rest;
}

TEST(AutocastLists, AreThoseOfCuda) {
  const auto ours = operators_with_kernel_at(c10::DispatchKey::AutocastPrivateUse1);
  const auto cuda = operators_with_kernel_at(c10::DispatchKey::AutocastCUDA);
  ASSERT_GT(cuda.size(), 100U);
  EXPECT_EQ(without(without(cuda, ours), {"aten::cudnn_convolution", "aten::cudnn_convolution_transpose"}), Names{});
  // Some versions of libtorch have these in CUDA's lists, openreg always.
  EXPECT_EQ(
      without(without(ours, cuda), {"aten::rms_norm", "aten::cumprod.dimname", "aten::cumsum.dimname",
                                    "aten::log_softmax.Dimname", "aten::norm.names_ScalarOpt_dim",
                                    "aten::prod.dim_Dimname", "aten::softmax.Dimname", "aten::sum.dim_DimnameList"}),
      Names{});
}

TEST(AutocastLists, EveryOperatorIsCalledByATest) {
  Names called = {"aten::binary_cross_entropy"};
  for (const auto* calls : {&lower_precision_calls(), &float_calls(), &float_result_calls(), &widest_calls()}) {
    for (const auto& [name, call] : *calls) {
      called.insert("aten::" + name);
    }
  }
  const auto ours = operators_with_kernel_at(c10::DispatchKey::AutocastPrivateUse1);
  // libtorch has this one in its list, and no kernel for it.
  EXPECT_EQ(without(without(ours, called), {"aten::norm.names_ScalarOpt_dim"}), Names{});
  EXPECT_EQ(without(called, ours), Names{});
}

}  // namespace
}  // namespace openreg::test
