#include <openreg/dispatch.h>

#include <algorithm>

#include <gtest/gtest.h>
#include <torch/library.h>

#include "throws_with.h"

namespace dispatch = openreg::dispatch;
using c10::DispatchKey;

namespace {

constexpr const char* kBadName = "aten::ad.Tensor";
constexpr const char* kAnswer = "Operator 'aten::ad.Tensor' does not exist. Nearest: aten::add.Tensor";

at::Tensor identity(const at::Tensor& tensor) { return tensor; }

}  // namespace

TEST(Dump, IsWhatTheHandleSays) {
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("aten::abs", "out");
  EXPECT_EQ(dispatch::dump("aten::abs.out"), op.dumpState());
  EXPECT_EQ(dispatch::dump_table("aten::abs.out"), op.dumpComputedTable());
  EXPECT_EQ(dispatch::dump("abs.out"), op.dumpState()) << "a name without namespace means aten";
}

TEST(Dump, UnknownOperatorsGetTheNearestNames) {
  EXPECT_THROWS_WITH(dispatch::dump(kBadName), kAnswer);
  EXPECT_THROWS_WITH(dispatch::dump_table(kBadName), kAnswer);
  EXPECT_THROWS_WITH(dispatch::dump("aten::add"), "Nearest: aten::add.");
  EXPECT_THROWS_WITH(dispatch::dump(""), "Operator 'aten::' does not exist.");
  EXPECT_THROWS_WITH(dispatch::dump("aten::"), "Operator 'aten::' does not exist.");
}

TEST(HasKernel, AnswersForKeysAndSets) {
  EXPECT_TRUE(dispatch::has_kernel("aten::add.Tensor"));
  EXPECT_FALSE(dispatch::has_kernel(kBadName));
  EXPECT_TRUE(dispatch::has_kernel_for_dispatch_key("aten::abs.out", DispatchKey::CPU));
  EXPECT_FALSE(dispatch::has_kernel_for_dispatch_key("aten::abs.out", "PrivateUse1"));
  EXPECT_THROWS_WITH(dispatch::has_kernel_for_dispatch_key(kBadName, "CPU"), kAnswer);
  EXPECT_THROWS_WITH(dispatch::has_kernel_for_dispatch_key("aten::abs.out", "CPPU"), "Nearest: CPU");

  EXPECT_TRUE(dispatch::has_kernel_for_any_dispatch_key("aten::abs.out", dispatch::keyset_parse("CUDA,CPU")));
  EXPECT_FALSE(dispatch::has_kernel_for_any_dispatch_key("aten::abs.out", dispatch::keyset_parse("XLA,VE")));
  EXPECT_THROWS_WITH(dispatch::has_kernel_for_any_dispatch_key(kBadName, dispatch::keyset_parse("CPU")), kAnswer);

  EXPECT_TRUE(dispatch::has_computed_kernel_for_dispatch_key("aten::abs", "vendor"));
  EXPECT_FALSE(dispatch::has_computed_kernel_for_dispatch_key("aten::abs.out", "VE"));
  EXPECT_THROWS_WITH(dispatch::has_computed_kernel_for_dispatch_key(kBadName, "CPU"), kAnswer);
  EXPECT_THROWS_WITH(dispatch::has_computed_kernel_for_dispatch_key("aten::abs", "Autograd"), "no row");
}

TEST(Fallthrough, IsToldAndNeedsAKernel) {
  EXPECT_TRUE(dispatch::kernel_for_dispatch_key_is_fallthrough("aten::empty.memory_format", "Conjugate"));
  EXPECT_FALSE(dispatch::kernel_for_dispatch_key_is_fallthrough("aten::abs.out", "CPU"));
  EXPECT_THROWS_WITH(dispatch::kernel_for_dispatch_key_is_fallthrough("aten::abs.out", "VE"),
                     "no kernel registered for VE");
  EXPECT_THROWS_WITH(dispatch::kernel_for_dispatch_key_is_fallthrough(kBadName, "CPU"), kAnswer);
}

TEST(Fallback, IsAskedPerKey) {
  EXPECT_TRUE(dispatch::has_backend_fallback(DispatchKey::ADInplaceOrView));
  EXPECT_FALSE(dispatch::has_backend_fallback(DispatchKey::CPU));
  EXPECT_FALSE(dispatch::has_backend_fallback(DispatchKey::Autograd)) << "alias keys have none";
}

TEST(Schema, IsFoundOrTheNearestNamed) {
  EXPECT_EQ(dispatch::find_schema("aten::add.Tensor").schema().name(), "aten::add");
  EXPECT_THROWS_WITH(dispatch::find_schema(kBadName), kAnswer);
}

TEST(Invariants, HoldForOneAndForAll) {
  EXPECT_NO_THROW(dispatch::check_invariants("aten::add.Tensor"));
  EXPECT_NO_THROW(dispatch::check_all_invariants());
  EXPECT_THROWS_WITH(dispatch::check_invariants(kBadName), kAnswer);
}

TEST(Registrations, ListsMatchTheDispatcher) {
  const auto all = dispatch::get_all_op_names();
  EXPECT_GT(all.size(), 3000U);
  EXPECT_TRUE(std::binary_search(all.begin(), all.end(), "aten::add.Tensor"));
  const auto cpu = dispatch::get_registrations_for_dispatch_key(DispatchKey::CPU);
  EXPECT_TRUE(std::binary_search(cpu.begin(), cpu.end(), "aten::abs.out"));
  for (const auto& name : cpu) {
    EXPECT_TRUE(dispatch::has_kernel_for_dispatch_key(name, DispatchKey::CPU)) << name;
  }
  for (const auto& name : dispatch::get_registrations_for_dispatch_key(DispatchKey::PrivateUse1)) {
    EXPECT_EQ(name.compare(0, 6, "c10d::"), 0) << name << ": this program has no kernel of ours";
  }
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(dispatch::dump_registrations(), '\n')),
            dispatch::get_registrations_for_dispatch_key().size());
}

TEST(Registrations, ASecondKernelNamesBothPlaces) {
  auto definition =
      torch::Library(torch::Library::FRAGMENT, "openreg_dispatch_test", std::nullopt, "definition.cpp", 1);
  definition.def("twice(Tensor x) -> Tensor");
  auto first = torch::Library(torch::Library::IMPL, "openreg_dispatch_test", DispatchKey::PrivateUse1, "first.cpp", 10);
  first.impl("twice", torch::CppFunction(identity));
  auto second =
      torch::Library(torch::Library::IMPL, "openreg_dispatch_test", DispatchKey::PrivateUse1, "second.cpp", 20);
  second.impl("twice", torch::CppFunction(identity));

  const auto found = dispatch::registrations("openreg_dispatch_test::twice");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].op, "openreg_dispatch_test::twice");
  EXPECT_EQ(found[0].key, "PrivateUse1");
  EXPECT_EQ(found[0].where, "second.cpp:20");
  EXPECT_TRUE(found[0].active);
  EXPECT_EQ(found[1].where, "first.cpp:10");
  EXPECT_FALSE(found[1].active);
  EXPECT_NE(dispatch::dump_registrations(DispatchKey::PrivateUse1).find("openreg_dispatch_test::twice\n"),
            std::string::npos);
}

TEST(Registrations, AliasesAndFallthroughsAreMarked) {
  const auto found = dispatch::registrations("aten::empty.memory_format");
  const auto find = [&](const std::string& key) {
    return std::ranges::find_if(found, [&](const auto& entry) { return entry.key == key; });
  };
  ASSERT_NE(find("Autograd"), found.end());
  EXPECT_NE(find("Autograd")->where.find("VariableType"), std::string::npos);
  ASSERT_NE(find("Conjugate"), found.end());
  EXPECT_TRUE(find("Conjugate")->fallthrough);
  ASSERT_NE(find("CPU"), found.end());
  EXPECT_FALSE(find("CPU")->fallthrough);
  EXPECT_FALSE(find("CPU")->boxed);
  EXPECT_TRUE(find("Conjugate")->boxed);
  EXPECT_THROWS_WITH(dispatch::registrations(kBadName), kAnswer);
}

TEST(DanglingImpls, AreFound) {
  const auto before = dispatch::find_dangling_impls();
  auto lost = torch::Library(torch::Library::IMPL, "openreg_dispatch_test", DispatchKey::CPU, "lost.cpp", 5);
  lost.impl("never_defined", torch::CppFunction(identity));
  const auto dangling = dispatch::find_dangling_impls();
  ASSERT_EQ(dangling.size(), before.size() + 1);
  const auto found = std::ranges::find_if(dangling, [](const std::string& state) {
    return state.find("name: openreg_dispatch_test::never_defined") != std::string::npos;
  });
  ASSERT_NE(found, dangling.end());
  EXPECT_NE(found->find("lost.cpp:5"), std::string::npos);
}
