// The trace against two witnesses that know nothing of it: a RecordFunction observer in a program without
// interposition, and libtorch's own trace in a file compiled without NDEBUG.
#include <algorithm>

#include <gtest/gtest.h>

#include "run_program.h"

namespace {

class Observer : public testing::TestWithParam<const char*> {};

const std::string kOn = "TORCH_SHOW_DISPATCH_TRACE=1 ";

std::vector<std::string> traced_lines(const ProgramRun& run) {
  auto lines = run.lines();
  std::erase_if(lines, [](const std::string& line) { return line.find("] op=[") == std::string::npos; });
  return lines;
}

// The top level of a section that the programs print as `-- NAME`.
std::vector<std::string> section(const ProgramRun& run, const std::string& name) {
  auto lines = run.lines();
  const auto begin = std::ranges::find(lines, "-- " + name);
  EXPECT_NE(begin, lines.end()) << run.output;
  const auto end = std::find_if(begin + 1, lines.end(), [](const std::string& line) { return line[0] == '-'; });
  return {begin + 1, end};
}

}  // namespace

TEST_P(Observer, SeesTheSameCallsInTheSameOrder) {
  const auto observed = run_program(std::string(OPENREG_OBSERVED_PLAIN) + " " + GetParam());
  const auto traced = run_program(std::string(OPENREG_OBSERVED_TRACED) + " " + GetParam());
  EXPECT_EQ(observed.status, 0) << observed.output;
  EXPECT_EQ(traced.status, 0) << traced.output;
  EXPECT_GT(observed.lines().size(), 20U);
  EXPECT_EQ(traced.lines(), observed.lines());
}

INSTANTIATE_TEST_SUITE_P(Models, Observer,
                         testing::Values("mlp", "convolution", "recurrent", "attention", "indexing", "in_place"));

TEST(WithoutNdebug, LibtorchsOwnLinesAppearOnceAndInPlace) {
  const auto own = traced_lines(run_program(kOn + OPENREG_DEBUG_CALLER_PLAIN));
  const auto all = traced_lines(run_program(kOn + OPENREG_DEBUG_CALLER_TRACED));
  ASSERT_GE(own.size(), 6U) << "libtorch's own trace must be in the file";
  // libtorch's own lines are the trace without those that only interposition sees.
  auto next = own.begin();
  for (const std::string& line : all) {
    next += next != own.end() && *next == line ? 1 : 0;
  }
  EXPECT_EQ(next, own.end()) << "missing or different: " << *next;
  EXPECT_GT(all.size(), own.size());
}

TEST(WithoutNdebug, LinesEqualOursByteForByte) {
  const auto debug = run_program(kOn + OPENREG_DEBUG_CALLER_TRACED);
  const auto release = run_program(kOn + OPENREG_RELEASE_CALLER_TRACED);
  for (const char* const name : {"typed", "redispatch", "boxed", "custom", "end"}) {
    EXPECT_FALSE(section(debug, name).empty()) << name;
    EXPECT_EQ(section(debug, name), section(release, name)) << name;
  }
  const auto boxed = section(debug, "boxed redispatch");
  ASSERT_FALSE(boxed.empty());
  EXPECT_EQ(boxed[0], " [redispatchBoxed] op=[aten::add.Tensor], key=[CPU]");
}
