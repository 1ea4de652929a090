#include <gtest/gtest.h>

#include "process.h"

TEST(Usage, HelpAndVersionEndWithStatusZero) {
  const auto help = demo("--help");
  EXPECT_EQ(help.status, 0);
  EXPECT_TRUE(has(help.out, "run")) << help.out;
  EXPECT_TRUE(has(help.out, "info")) << help.out;
  EXPECT_EQ(demo("run --help").status, 0);
  const auto version = demo("--version");
  EXPECT_EQ(version.status, 0);
  EXPECT_TRUE(has(version.out, "openreg ")) << version.out;
}

// CLI11's statuses are above 100, so that a script can tell a wrong command line from a wrong result.
TEST(Usage, WrongCommandLine) {
  for (const char* const arguments :
       {"sprint", "--no-such-flag", "run --no-such-flag", "run --input", "run a.pt b.pt", "run --tolerance many",
        "run --tolerance -1", "run --tolerance nan", "run --tolerance inf", "run --repeat 0"}) {
    const auto finished = demo(arguments);
    EXPECT_GT(finished.status, 100) << arguments;
    EXPECT_NE(finished.err, "") << arguments;
    EXPECT_EQ(finished.out, "") << arguments;
  }
}

TEST(Usage, LostOutputIsAnError) {
  for (const char* const arguments : {"info", "dispatch keys"}) {
    const auto finished = run("sh", std::string("-c '") + OPENREG_DEMO + " " + arguments + " >/dev/full'");
    EXPECT_EQ(finished.status, 1) << arguments;
    EXPECT_TRUE(has(finished.err, "could not be written")) << arguments << finished.err;
  }
  const auto trace = demo("trace aten::abs -o /dev/full");
  EXPECT_EQ(trace.status, 1);
  EXPECT_TRUE(has(trace.err, "'/dev/full' could not be written")) << trace.err;
}
