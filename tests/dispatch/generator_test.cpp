// The generator stops at what it does not know.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "dynamic_symbols.h"
#include "operator_headers.h"
#include "source_writer.h"

namespace fs = std::filesystem;
using namespace openreg::generator;

namespace {

class Generator : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_ / "ATen" / "ops"); }
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<Operator> read(const std::string& body) {
    const auto file = folder_ / "ATen" / "ops" / "one_ops.h";
    std::ofstream(file) << "#pragma once\nnamespace at {\nnamespace _ops {\n" << body << "}} // namespace at::_ops\n";
    return read_operators({folder_});
  }

  template <typename F>
  static std::string error_of(F&& function) {
    try {
      function();
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }

  static std::string operator_text(const std::string& type) {
    return "struct TORCH_API one {\n"
           "  using schema = at::Tensor (" +
           type +
           ");\n"
           "  using ptr_schema = schema*;\n"
           "  static constexpr const char* name = \"aten::one\";\n"
           "  static constexpr const char* overload_name = \"\";\n"
           "  static constexpr const char* schema_str = \"one(x) -> Tensor\";\n"
           "  static at::Tensor call(" +
           type +
           " x);\n"
           "  static at::Tensor redispatch(c10::DispatchKeySet dispatchKeySet, " +
           type + " x);\n};\n";
  }

  const fs::path folder_ = fs::temp_directory_path() / ("openreg_generator_test_" + std::to_string(getpid()));
  const std::vector<std::string> symbols_{"_ZN2at27getStepCallbacksUnlessEmptyENS_11RecordScopeE",
                                          "_ZN2at4_ops3one10redispatchE",
                                          "_ZN2at4_ops3one4callE",
                                          "_ZN3c1010Dispatcher17runRecordFunctionEA",
                                          "_ZN3c1010Dispatcher17runRecordFunctionEArrayRef",
                                          "_ZN3c1019show_dispatch_traceEv",
                                          "_ZN3c1027dispatch_trace_nesting_decrEv",
                                          "_ZN3c1027dispatch_trace_nesting_incrEv",
                                          "_ZN3c1028dispatch_trace_nesting_valueEv",
                                          "_ZN3c106detail21_print_dispatch_traceE"};
};

}  // namespace

TEST_F(Generator, ReadsAnOperator) {
  const auto operators = read(operator_text("const ::std::optional<at::Tensor> &"));
  ASSERT_EQ(operators.size(), 1U);
  EXPECT_EQ(operators[0].name, "aten::one");
  EXPECT_EQ(operators[0].result, "at::Tensor");
  ASSERT_EQ(operators[0].parameters.size(), 1U);
  EXPECT_EQ(operators[0].parameters[0].type, "const ::std::optional<at::Tensor> &");
  EXPECT_NO_THROW(write_sources(operators, symbols_, folder_ / "out", 1));
  EXPECT_TRUE(fs::exists(folder_ / "out" / "hooks_00.cpp"));
}

TEST_F(Generator, SplitsParametersOutsideOfTemplates) {
  const auto operators = read(operator_text("::std::array<bool,3>"));
  ASSERT_EQ(operators[0].parameters.size(), 1U);
}

TEST_F(Generator, StopsAtAnUnknownForm) {
  EXPECT_NE(error_of([&] { read("using something = int;\n"); }).find("one_ops.h:4: unknown form: using something"),
            std::string::npos);
  std::string text = operator_text("bool");
  text.replace(text.find("  using ptr_schema"), 0, "  static int surprise;\n");
  EXPECT_NE(error_of([&] { read(text); }).find("one_ops.h:6: unknown form: static int surprise;"), std::string::npos);
  text = operator_text("bool");
  text.replace(text.find("redispatch("), 11, "elsewhere(");
  EXPECT_NE(error_of([&] { read(text); }).find("unknown function 'elsewhere'"), std::string::npos);
  text = operator_text("bool");
  text.replace(text.find("dispatchKeySet, bool"), 20, "dispatchKeySet, int");
  EXPECT_NE(error_of([&] { read(text); }).find("differ in a parameter"), std::string::npos);
}

TEST_F(Generator, StopsAtAnUnknownParameterType) {
  const auto operators = read(operator_text("at::TensorOfTheFuture"));
  EXPECT_NE(error_of([&] {
              write_sources(operators, symbols_, folder_ / "out", 1);
            }).find("unknown parameter type 'at::TensorOfTheFuture'"),
            std::string::npos);
}

TEST_F(Generator, StopsAtAMissingOrAmbiguousSymbol) {
  const auto operators = read(operator_text("bool"));
  auto missing = symbols_;
  missing.erase(missing.begin() + 2);
  EXPECT_NE(error_of([&] {
              write_sources(operators, missing, folder_ / "out", 1);
            }).find("does not export _ZN2at4_ops3one4callE"),
            std::string::npos);
  auto twice = symbols_;
  twice.insert(twice.begin() + 3, "_ZN2at4_ops3one4callEv");
  EXPECT_NE(error_of([&] { write_sources(operators, twice, folder_ / "out", 1); }).find("more than one"),
            std::string::npos);
}

TEST_F(Generator, StopsWithoutHeadersAndWithoutALibrary) {
  EXPECT_NE(error_of([&] { read_operators({folder_}); }).find("no ATen/ops/*_ops.h"), std::string::npos);
  const auto archive = folder_ / "libtorch_cpu.a";
  std::ofstream(archive) << "!<arch>\n" << std::string(100, ' ');
  EXPECT_NE(error_of([&] { exported_functions(archive); }).find("a static library cannot be interposed"),
            std::string::npos);
}
