#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <openreg/openreg.h>
#include <torch/torch.h>

#include <algorithm>

#include "support/compare.h"
#include "support/dispatcher.h"
#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"

// Right values alone prove nothing: the fallback gives them too. So each operator's kernel is looked up in the
// dispatcher's table, and the ledger says that it ran.
namespace openreg::test {
namespace {

struct Kernel {
  const char* name;
  void (*call)();
};

at::Tensor some() { return at::arange(6, at::kFloat).to(device()); }

const Kernel kMinimal[] = {
    {"aten::empty.memory_format", [] { at::empty({2}, device()); }},
    {"aten::empty_strided",
     [] {
       at::empty_strided({2, 2}, {1, 2}, device());
     }},
    {"aten::as_strided",
     [] {
       EXPECT_TRUE(same_bits(at::tensor({1.f, 3.f}), at::as_strided(some(), {2}, {2}, 1)));
     }},
    {"aten::resize_", [] { EXPECT_TRUE(same_bits(at::arange(3, at::kFloat), some().resize_({3}))); }},
    {"aten::_reshape_alias",
     [] {
       EXPECT_TRUE(same_bits(at::arange(6, at::kFloat).view({2, 3}), at::_reshape_alias(some(), {2, 3}, {3, 1})));
     }},
    {"aten::_copy_from",
     [] {
       auto to = at::empty({6}, device());
       at::_copy_from(some(), to);
       EXPECT_TRUE(same_bits(some(), to));
     }},
    {"aten::_copy_from_and_resize",
     [] {
       auto to = at::empty({0}, device());
       at::_copy_from_and_resize(some(), to);
       EXPECT_TRUE(same_bits(some(), to));
     }},
    {"aten::_local_scalar_dense", [] { EXPECT_EQ(at::_local_scalar_dense(some()[4]).toFloat(), 4); }},
    {"aten::_has_compatible_shallow_copy_type",
     [] { EXPECT_TRUE(at::_has_compatible_shallow_copy_type(some(), at::ones({2}))); }},
    {"aten::set_.source_Tensor",
     [] {
       const auto x = some();
       EXPECT_TRUE(shares_storage(x, at::empty({0}, device()).set_(x)));
     }},
    {"aten::set_.source_Storage",
     [] { EXPECT_TRUE(same_bits(some(), at::empty({0}, device()).set_(some().storage()))); }},
    {"aten::set_.source_Storage_storage_offset",
     [] {
       auto t = at::empty({0}, device());
       t.set_(some().storage(), 1, {2}, {2});
       EXPECT_TRUE(same_bits(at::tensor({1.f, 3.f}), t));
     }},
    {"aten::view",
     [] {
       EXPECT_TRUE(same_bits(at::arange(6, at::kFloat).view({3, 2}), some().view({3, 2})));
     }},
};

class Kernels : public testing::TestWithParam<Kernel> {};

TEST_P(Kernels, AreOursInTheDispatchersTable) {
  const std::string name = GetParam().name;
  init();
  const auto op = find_operator(name);
  EXPECT_TRUE(op.hasKernelForDispatchKey(c10::DispatchKey::PrivateUse1));
  EXPECT_TRUE(contains(device_kernel(name), "src/ops/minimal_table.cpp"));
  EXPECT_TRUE(contains(device_kernel(name), "[kernel]"));
  const auto registered = c10::Dispatcher::singleton().getRegistrationsForDispatchKey(c10::DispatchKey::PrivateUse1);
  EXPECT_NE(std::find(registered.begin(), registered.end(), op.operator_name()), registered.end());
}

TEST_P(Kernels, Run) {
  const LedgerScope scope;
  GetParam().call();
  EXPECT_TRUE(ran_by(scope, GetParam().name, Way::native));
}

std::string test_name(const testing::TestParamInfo<Kernel>& info) {
  std::string name = info.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ':' || c == '.'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Minimal, Kernels, testing::ValuesIn(kMinimal), test_name);

TEST(KernelTable, SubTensorIsTheSelectiveFallback) {
  const LedgerScope scope;
  EXPECT_TRUE(contains(device_kernel("aten::sub.Tensor"), "src/ops/minimal_table.cpp"));
  EXPECT_TRUE(same_bits(at::zeros({6}), some() - some()));
  EXPECT_TRUE(ran_by(scope, "aten::sub.Tensor", Way::explicit_fallback));
}

TEST(KernelTable, WhatHasACompositeAndACpuKernelGetsTheFallbackByName) {
  init();
  for (const char* name : {"aten::atan2", "aten::addr", "aten::silu_backward"}) {
    EXPECT_TRUE(contains(device_kernel(name), "explicit_set.cpp")) << name;
  }
}

TEST(KernelTable, WhatHasNoKernelGetsTheGlobalFallback) {
  EXPECT_TRUE(contains(device_kernel("aten::hardtanh"), "[backend fallback]"));
  const LedgerScope scope;
  at::hardtanh(some());
  EXPECT_TRUE(ran_by(scope, "aten::hardtanh", Way::global_fallback));
}

TEST(KernelTable, CustomAbsIsAnOperatorOfOurs) {
  const LedgerScope scope;
  const auto op = find_operator("openreg::custom_abs").typed<at::Tensor(const at::Tensor&)>();
  EXPECT_TRUE(same_on_device(at::arange(6, at::kFloat), op.call(-some())));
  EXPECT_TRUE(ran_by(scope, "openreg::custom_abs", Way::native));
  EXPECT_TRUE(ran_by(scope, "aten::abs.out", Way::stub));
}

}  // namespace
}  // namespace openreg::test
