// The subcommands as a person types them.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include "dispatch_commands.h"
#include "json_check.h"
#include "run_program.h"
#include "trace_command.h"

namespace {

// In this process: a program of its own would start libtorch a hundred times.
ProgramRun command(const std::string& arguments) {
  CLI::App app("commands");
  app.require_subcommand(1);
  openreg::demo::add_dispatch_commands(app);
  openreg::demo::add_trace_command(app);
  std::ostringstream out;
  auto* const standard_output = std::cout.rdbuf(out.rdbuf());
  auto* const standard_error = std::cerr.rdbuf(out.rdbuf());
  ProgramRun run;
  try {
    app.parse(arguments);
    run.status = 0;
  } catch (const CLI::ParseError& error) {
    run.status = app.exit(error, out, out);
  }
  std::cout.rdbuf(standard_output);
  std::cerr.rdbuf(standard_error);
  run.output = out.str();
  return run;
}

void expect_answer(const std::string& arguments, const std::string& answer) {
  const auto run = command(arguments);
  EXPECT_EQ(run.status, 0) << arguments;
  EXPECT_EQ(run.output, answer) << arguments;
}

void expect_error(const std::string& arguments, const std::string& text) {
  const auto run = command(arguments);
  EXPECT_NE(run.status, 0) << arguments;
  EXPECT_NE(run.output.find(text), std::string::npos) << arguments << "\n" << run.output;
}

}  // namespace

TEST(DispatchCommand, ListHasTheSeedsQuestions) {
  const std::string list = "\n" + command("dispatch list").output;
  for (const char* const name :
       {"dump", "dump_table", "has_kernel", "has_kernel_for_any_dispatch_key", "has_kernel_for_dispatch_key",
        "isTensorSubclassLike", "is_alias_key", "is_included_in_alias", "is_main_interpreter",
        "kernel_for_dispatch_key_is_fallthrough", "key_for_device", "key_name", "key_parse", "key_set"}) {
    EXPECT_NE(list.find(std::string("\n") + name + " "), std::string::npos) << name;
  }
}

TEST(DispatchCommand, Answers) {
  expect_answer("dispatch key_set cpu", "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)\n");
  expect_answer("dispatch has_kernel aten::add.Tensor", "true\n");
  expect_answer("dispatch has_kernel aten::nothing", "false\n");
  expect_answer("dispatch key_parse autograd_privateuse1", "AutogradPrivateUse1\n");
  expect_answer("dispatch has_kernel_for_dispatch_key abs.out cpu --json",
                "{\"command\":\"has_kernel_for_dispatch_key\",\"answer\":true}\n");
  expect_answer("dispatch keyset_sub CPU,AutogradCPU CPU", "DispatchKeySet(AutogradCPU)\n");
  const auto table = command("dispatch dump_table aten::abs.out --json");
  EXPECT_TRUE(JsonCheck::valid(table.output)) << table.output;
  EXPECT_NE(command("dispatch dump_table aten::abs.out").output.find("CPU: registered at "), std::string::npos);
  EXPECT_GT(command("dispatch get_all_op_names").lines().size(), 3000U);
}

// Every command, with a bad name or key in place of each parameter.
TEST(DispatchCommand, BadNamesAndKeysAreErrors) {
  std::size_t checked = 0;
  for (const std::string& line : command("dispatch list").lines()) {
    std::istringstream words(line.substr(0, 56));
    std::vector<std::string> parts;
    for (std::string word; words >> word;) {
      parts.push_back(word);
    }
    std::string arguments = "dispatch " + parts.at(0);
    for (std::size_t i = 1; i < parts.size(); ++i) {
      arguments += parts[i] == "operator" ? " aten::no_such" : " no_such";
    }
    if (parts.size() == 1) {
      EXPECT_EQ(command(arguments).status, 0) << arguments;
      expect_error(arguments + " surplus", "surplus");
    } else if (parts[0] == "has_kernel") {
      expect_answer(arguments, "false\n");
    } else {
      expect_error(arguments, "no_such");
    }
    ++checked;
  }
  EXPECT_GT(checked, 40U);
  expect_error("dispatch dump aten::ad.Tensor", "Nearest: aten::add.Tensor");
  expect_error("dispatch key_parse AutogradCPUU", "Nearest: AutogradCPU");
}

TEST(TraceCommand, TakesAnOperatorInOneShortLine) {
  const auto lines = command("trace abs --grad").lines();
  ASSERT_GE(lines.size(), 3U);
  EXPECT_EQ(lines[0], " [callBoxed] op=[aten::abs], key=[AutogradCPU]");
  EXPECT_EQ(lines[1], "  [redispatch] op=[aten::abs], key=[CPU]");
}

TEST(TraceCommand, ShapeIsForTensorsAndForAnArgumentCalledSize) {
  EXPECT_EQ(command("trace randn --shape 2,3").lines().at(0), " [callBoxed] op=[aten::randn], key=[BackendSelect]");
  EXPECT_EQ(command("trace mm --shape 4,4").status, 0);
  expect_error("trace mm --shape 4", "must be a matrix");
  EXPECT_NE(command("trace --help").output.find("with commas between them"), std::string::npos);
}

TEST(DispatchCommand, StartsWhatRegistersLate) {
  CLI::App app("commands");
  static int starts = 0;
  openreg::demo::add_dispatch_commands(app, [] { ++starts; });
  app.parse("dispatch has_kernel aten::abs");
  EXPECT_EQ(starts, 1);
}

TEST(TraceCommand, FiltersExplainsAndFormats) {
  EXPECT_EQ(command("trace add --key ADInplaceOrView").output, "");
  EXPECT_EQ(command("trace add --op 'aten::add*' --limit 1").lines().size(), 1U);
  const auto explained = command("trace mul --explain").lines();
  ASSERT_GE(explained.size(), 2U);
  EXPECT_EQ(explained[0], " [callBoxed] op=[aten::mul.Tensor], key=[AutogradCPU]");
  EXPECT_EQ(explained[1].find("  because AutogradCPU is the highest of DispatchKeySet(CPU, AutogradCPU); self brings "),
            0U)
      << explained[1];
  EXPECT_NE(explained[1].find("; other brings "), std::string::npos) << explained[1];
  const auto json = command("trace abs --format json").lines();
  ASSERT_FALSE(json.empty());
  EXPECT_TRUE(std::ranges::all_of(json, [](const std::string& line) { return JsonCheck::valid(line); }));
  const auto file = std::filesystem::temp_directory_path() / ("openreg_trace_test_" + std::to_string(getpid()));
  EXPECT_EQ(command("trace abs --backward --grad --format chrome -o " + file.string()).status, 0);
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  std::filesystem::remove(file);
  EXPECT_TRUE(JsonCheck::valid(text.str())) << text.str();
}

TEST(TraceCommand, ErrorsSayWhatToDo) {
  expect_error("trace no_such_operator", "`openreg_demo ops TEXT`");
  expect_error("trace reluu", "Operator 'aten::reluu' does not exist. Nearest: aten::relu, ");
  expect_error("trace randn --shape 3 3", "Write sizes with commas, as --shape 2,3");
  expect_error("trace abs cpu", "not expected: cpu");
  expect_error("trace abs --no-such-flag", "--no-such-flag");
  expect_error("trace abs --format yaml", "--format");
  expect_error("trace abs -o /no/such/folder/file", "cannot be written");
  expect_error("trace abs --key Nope", "Unknown dispatch key 'Nope'");
}
