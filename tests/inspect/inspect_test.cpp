#include <openreg/inspect.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include <ATen/native/DispatchStub.h>
#include <ATen/native/UnaryOps.h>
#include <ATen/ops/angle_native.h>
#include <gtest/gtest.h>
#include <openreg/dispatch.h>
#include <openreg/fallback.h>
#include <torch/library.h>
#include <CLI/CLI.hpp>

#include "inspect_commands.h"

namespace inspect = openreg::inspect;
using inspect::Coverage;

namespace {

Coverage how(const std::string& op) {
  const auto all = inspect::operator_coverage();
  const auto found = std::ranges::find_if(all, [&](const auto& entry) { return entry.op == op; });
  EXPECT_NE(found, all.end()) << op;
  return found->how;
}

bool has_trap(const std::string& op, const std::string& text) {
  const auto traps = inspect::find_traps();
  return std::ranges::any_of(
      traps, [&](const inspect::Trap& trap) { return trap.op == op && trap.what.find(text) != std::string::npos; });
}

at::Tensor identity(const at::Tensor& tensor) { return tensor; }
void not_reached(const c10::OperatorHandle& /*op*/, torch::jit::Stack* /*stack*/) {}

// The slot is private; an explicit instantiation may name it.
void*& abs_slot();
template <auto Slots>
struct ReachAbs {
  friend void*& abs_slot() { return (at::native::abs_stub.*Slots).privateuse1_dispatch_ptr; }
};
template struct ReachAbs<&at::native::abs_stub_DECLARE_DISPATCH_type::impl>;

std::pair<int, std::string> command(const std::string& arguments) {
  CLI::App app("commands");
  openreg::demo::add_inspect_commands(app);
  std::ostringstream out;
  auto* const standard_output = std::cout.rdbuf(out.rdbuf());
  auto* const standard_error = std::cerr.rdbuf(out.rdbuf());
  int status = 0;
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    status = app.exit(error, out, out);
  }
  std::cout.rdbuf(standard_output);
  std::cerr.rdbuf(standard_error);
  return {status, out.str()};
}

}  // namespace

TEST(Coverage, TellsTheWays) {
  EXPECT_EQ(how("aten::empty.memory_format"), Coverage::native);
  EXPECT_EQ(how("aten::abs.out"), Coverage::stub);
  EXPECT_EQ(how("aten::add.Tensor"), Coverage::forwarded);
  EXPECT_EQ(how("aten::atan2"), Coverage::explicit_fallback);
  EXPECT_EQ(how("aten::sub.Tensor"), Coverage::explicit_fallback);
  EXPECT_EQ(how("openreg::custom_abs"), Coverage::native);
  EXPECT_EQ(how("aten::matmul"), Coverage::composite_implicit);
  EXPECT_EQ(how("aten::ones"), Coverage::composite_explicit);
  EXPECT_EQ(how("aten::nonzero"), Coverage::global_fallback);
  EXPECT_EQ(how("aten::_cudnn_rnn"), Coverage::none);
}

TEST(Coverage, NamesFilesFromTheTopOfTheSources) {
  const auto all = inspect::operator_coverage();
  const auto where = [&](const std::string& op) {
    return std::ranges::find_if(all, [&](const auto& entry) { return entry.op == op; })->where;
  };
  EXPECT_NE(openreg::dispatch::dump_table("aten::add.Tensor").find("registered at src/ops/forwarded_"),
            std::string::npos);
  EXPECT_EQ(where("aten::abs.out").find("src/stubs/stub_table.cpp:"), 0U) << where("aten::abs.out");
  EXPECT_EQ(where("aten::atan2").find("src/fallback/explicit_set.cpp:"), 0U) << where("aten::atan2");
  EXPECT_EQ(where("aten::add.Tensor").find("src/ops/forwarded_"), 0U) << where("aten::add.Tensor");
}

TEST(Settings, AreWhatIsInForce) {
  openreg::FallbackPolicy policy = openreg::fallback_policy();
  policy.forbid = {"aten::nonzero"};
  policy.warning = openreg::FallbackWarning::always;
  const openreg::FallbackPolicyScope scope(policy);
  const auto all = inspect::settings();
  const auto value = [&](const std::string& name) {
    const auto found = std::ranges::find_if(all, [&](const auto& setting) { return setting.name == name; });
    return found == all.end() ? "not there" : found->value;
  };
  EXPECT_EQ(value("OPENREG_FALLBACK_FORBID"), "aten::nonzero");
  EXPECT_EQ(value("OPENREG_FALLBACK_WARN"), "always");
  EXPECT_EQ(value("OPENREG_FALLBACK_ALLOW"), "none");
}

TEST(Coverage, FollowsThePolicy) {
  openreg::FallbackPolicy policy = openreg::fallback_policy();
  policy.forbid.push_back("aten::nonzero");
  const openreg::FallbackPolicyScope scope(policy);
  EXPECT_EQ(how("aten::nonzero"), Coverage::forbidden);
}

TEST(Coverage, TellsTheBoxedWayWhenTheForwardedTableIsOff) {
  openreg::FallbackPolicy policy = openreg::fallback_policy();
  policy.forwarded = false;
  const openreg::FallbackPolicyScope scope(policy);
  EXPECT_EQ(how("aten::add.Tensor"), Coverage::explicit_fallback);
}

TEST(Coverage, CountsEveryOperatorOnce) {
  const auto all = inspect::operator_coverage();
  EXPECT_EQ(all.size(), openreg::dispatch::get_all_op_names().size());
  std::size_t total = 0;
  for (const auto& [way, count] : inspect::count_coverage(all)) {
    total += count;
  }
  EXPECT_EQ(total, all.size());
}

TEST(Traps, NoneAreThereByThemselves) {
  for (const auto& trap : inspect::find_traps()) {
    ADD_FAILURE() << trap.op << " " << trap.what;
  }
}

TEST(Traps, LostGradientsAndLostKernelsAreFound) {
  auto wrong = torch::Library(torch::Library::IMPL, "aten", c10::DispatchKey::PrivateUse1, "wrong.cpp", 1);
  wrong.impl("relu6", torch::CppFunction(identity));
  EXPECT_TRUE(has_trap("aten::relu6", "its gradient is lost"));
  auto lost =
      torch::Library(torch::Library::IMPL, "openreg_inspect_test", c10::DispatchKey::PrivateUse1, "lost.cpp", 2);
  lost.impl("never_defined", torch::CppFunction(identity));
  EXPECT_TRUE(has_trap("openreg_inspect_test::never_defined", "no definition"));
}

TEST(Traps, AKernelInThePlaceOfACompositeIsToldToAddTheOtherKey) {
  EXPECT_FALSE(has_trap("aten::to.dtype", "AutogradPrivateUse1"));
  auto wrong = torch::Library(torch::Library::IMPL, "aten", c10::DispatchKey::PrivateUse1, "wrong.cpp", 1);
  wrong.impl("to.dtype", torch::CppFunction::makeFromBoxedFunction<&not_reached>());
  EXPECT_TRUE(has_trap("aten::to.dtype", "register at AutogradPrivateUse1 as well, or remove the kernel"));
}

TEST(Traps, AnEmptyStubSlotBehindAnOperatorIsFound) {
  EXPECT_FALSE(has_trap("aten::abs.out", "slot is empty"));
  void* const kernel = std::exchange(abs_slot(), nullptr);
  EXPECT_TRUE(has_trap("aten::abs.out", "slot is empty"));
  abs_slot() = kernel;
}

// Whether a kernel that a program adds ends in libtorch's stub cannot be seen, so the doctor does not fail for it.
TEST(Traps, AnEmptyStubSlotBehindAnAddedOperatorIsFound) {
  auto added = torch::Library(torch::Library::IMPL, "aten", c10::DispatchKey::PrivateUse1, "added.cpp", 1);
  added.impl("angle.out", at::native::angle_out);
  EXPECT_TRUE(has_trap("aten::angle.out", "angle_stub, whose PrivateUse1 slot is empty"));
  EXPECT_NE(command("ops --traps").second.find("angle_stub"), std::string::npos);
  EXPECT_EQ(command("doctor").first, 0);
}

TEST(Commands, PrintTables) {
  const auto [status, csv] = command("ops aten::abs.out --format csv");
  EXPECT_EQ(status, 0);
  EXPECT_EQ(csv.find("operator,way,where\naten::abs.out,stub,"), 0U) << csv;
  EXPECT_EQ(command("ops --traps").second, "");
  EXPECT_NE(command("ops --count").second.find("composite_implicit "), std::string::npos);
  EXPECT_EQ(command("ops --count --format json").second.front(), '{');
  EXPECT_NE(command("ops --way sometimes").first, 0);
}

// A header, and each column begins at one place, however long a name is.
TEST(Commands, PrintAlignedColumns) {
  for (const char* const arguments : {"ops", "ops --count"}) {
    const auto [status, text] = command(arguments);
    EXPECT_EQ(status, 0);
    std::istringstream lines(text);
    std::string header;
    std::getline(lines, header);
    const auto second = header.find(std::string(arguments) == "ops" ? "way" : "operators");
    ASSERT_NE(second, std::string::npos) << header;
    for (std::string line; std::getline(lines, line);) {
      EXPECT_NE(line.back(), ' ') << line;
      EXPECT_EQ(line.substr(second - 2, 2), "  ") << line;
      EXPECT_EQ(line.find_first_not_of(' '), 0U) << line;
    }
  }
  const auto text = command("ops ").second;
  EXPECT_NE(text.find("\naten::_scaled_dot_product_fused_attention_overrideable_backward  "), std::string::npos)
      << text;
}

TEST(Commands, NothingThatMatchesIsAnError) {
  const auto nothing = [](const std::string& arguments, const std::string& text) {
    const auto [status, output] = command(arguments);
    EXPECT_EQ(status, 1) << arguments;
    EXPECT_NE(output.find(text), std::string::npos) << output;
  };
  nothing("ops reluu", "No operator whose name holds 'reluu' is there. Nearest: aten::relu, ");
  nothing("ops no_such_thing_at_all", "`openreg_demo ops` lists them all.");
  nothing("ops --way none abs.out", "No operator whose name holds 'abs.out' runs the way 'none'.");
  nothing("ops --count reluu --format json", "Nearest: ");
}

TEST(Commands, DoctorsStatusSaysHowItIs) {
  EXPECT_EQ(command("doctor").first, 0) << command("doctor").second;
  void* const kernel = std::exchange(abs_slot(), nullptr);
  const auto [status, text] = command("doctor");
  abs_slot() = kernel;
  EXPECT_EQ(status, 1);
  EXPECT_NE(text.find("FAILS operators"), std::string::npos) << text;
}

TEST(Doctor, FindsEverythingInItsPlace) {
  const auto findings = inspect::examine();
  EXPECT_EQ(findings.size(), 12U);
  for (const auto& finding : findings) {
    EXPECT_TRUE(finding.ok) << finding.what << ": " << finding.text;
    EXPECT_FALSE(finding.text.empty()) << finding.what;
  }
}

TEST(Doctor, SaysWhatIsNot) {
  auto wrong = torch::Library(torch::Library::IMPL, "aten", c10::DispatchKey::PrivateUse1, "wrong.cpp", 1);
  wrong.impl("relu6", torch::CppFunction(identity));
  const auto findings = inspect::examine();
  const auto operators =
      std::ranges::find_if(findings, [](const auto& finding) { return finding.what == "operators"; });
  ASSERT_NE(operators, findings.end());
  EXPECT_FALSE(operators->ok);
  EXPECT_NE(operators->text.find("aten::relu6"), std::string::npos) << operators->text;
}
