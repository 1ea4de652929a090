// The trace of small programs, line by line, against committed ones.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "run_program.h"

namespace {

const std::string kProgram = OPENREG_TRACE_PROGRAMS;
const std::string kOn = "TORCH_SHOW_DISPATCH_TRACE=1 ";

std::string golden(const std::string& name) {
  std::ifstream file(std::string(OPENREG_GOLDENS) + "/" + name + ".txt");
  EXPECT_TRUE(file) << "no golden for " << name;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class Golden : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(OPENREG_GOLDENS)) {
      GTEST_SKIP() << "no goldens for this version of libtorch: " OPENREG_GOLDENS;
    }
  }
};

}  // namespace

TEST_P(Golden, IsPrinted) { EXPECT_EQ(run_program(kOn + kProgram + " " + GetParam()).output, golden(GetParam())); }

TEST_P(Golden, IsPrintedUnderPreload) {
  EXPECT_EQ(
      run_program(kOn + "LD_PRELOAD=" OPENREG_TRACE_PRELOAD " " OPENREG_TRACE_PROGRAMS_PLAIN " " + GetParam()).output,
      golden(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Programs, Golden,
                         testing::Values("factory", "abs_with_grad", "sum_and_backward", "convolution",
                                         "scripted_module"));

#ifdef OPENREG_TRACE_PROGRAMS_OPENREG
class OpenregGolden : public Golden {};

// What comes before, the making of the input, is not of interest here.
TEST_P(OpenregGolden, IsPrinted) {
  const std::string output =
      run_program(kOn + "OPENREG_FALLBACK_WARN=off " OPENREG_TRACE_PROGRAMS_OPENREG " " + GetParam()).output;
  const auto begin = output.find("-- run\n");
  ASSERT_NE(begin, std::string::npos) << output;
  EXPECT_EQ(output.substr(begin), golden(std::string("openreg_") + GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Programs, OpenregGolden, testing::Values(OPENREG_GOLDEN_PROGRAMS_OPENREG));
#endif

TEST(Environment, IsReadAsLibtorchReadsIt) {
  const std::string off = run_program(kProgram + " factory").output;
  EXPECT_EQ(off, "-- at::ones\n");
  EXPECT_EQ(run_program("TORCH_SHOW_DISPATCH_TRACE=0 " + kProgram + " factory").output, off);
  const std::string word = run_program("TORCH_SHOW_DISPATCH_TRACE=yes " + kProgram + " factory").output;
  EXPECT_EQ(word.find("[call]"), std::string::npos) << word;
  EXPECT_NE(word.find("TORCH_SHOW_DISPATCH_TRACE"), std::string::npos) << word;
}

TEST(Preload, BesideALinkedTracePrintsOnce) {
  EXPECT_EQ(run_program(kOn + "LD_PRELOAD=" OPENREG_TRACE_PRELOAD " " + kProgram + " factory").output,
            golden("factory"));
}

TEST(Preload, OffChangesNothing) {
  const ProgramRun off = run_program("LD_PRELOAD=" OPENREG_TRACE_PRELOAD " " OPENREG_TRACE_PROGRAMS_PLAIN " factory");
  EXPECT_EQ(off.output, "-- at::ones\n");
  EXPECT_EQ(off.status, 0);
}
