#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "process.h"

TEST(Tour, EndsWellAndShowsEachSubject) {
  const auto finished = demo("");
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
  EXPECT_EQ(finished.err, "");
  for (const char* const part :
       {"openreg:1", "DispatchKeySet(PrivateUse1, ADInplaceOrView, AutogradPrivateUse1, AutocastPrivateUse1)",
        "caught: Operator 'aten::abs.out' is not implemented for device openreg.",
        "caught: Operator 'aten::add.Tensor' is not implemented for device openreg.", "killed by SIGSEGV", "forwarded",
        "global_fallback", "none failed."}) {
    EXPECT_TRUE(has(finished.out, part)) << "no '" << part << "' in:\n" << finished.out;
  }
  EXPECT_FALSE(has(finished.out, "FAILED")) << finished.out;
  EXPECT_FALSE(has(finished.out, "\033")) << "colour, though this is no terminal";
}

TEST(Tour, WorksOnOneDevice) { EXPECT_EQ(demo("", "OPENREG_DEVICE_COUNT=1").status, 0); }

TEST(Tour, WorksWithStagedMemory) { EXPECT_EQ(demo("", "OPENREG_HOST_ACCESS=staged").status, 0); }

// The program links the dispatch trace; standard error holds its lines and nothing else.
TEST(Tour, IsTraced) {
  const auto finished = demo("", "TORCH_SHOW_DISPATCH_TRACE=1");
  EXPECT_EQ(finished.status, 0) << finished.out;
  std::istringstream lines(finished.err);
  const std::regex step(R"( +\[(call|redispatch|callBoxed|redispatchBoxed)\] op=\[[^\]]+\], key=\[\w+\])");
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    ASSERT_TRUE(std::regex_match(line, step)) << line;
  }
  EXPECT_GT(count, 500U);
  for (const char* const part : {" [call] op=[aten::abs], key=[AutogradPrivateUse1]",
                                 "[call] op=[aten::abs.out], key=[PrivateUse1]", "[redispatchBoxed] op=[aten::"}) {
    EXPECT_TRUE(has(finished.err, part)) << "no '" << part << "'";
  }
}

TEST(Tour, FailsWhenTheFallbackIsOff) {
  const auto finished = demo("", "OPENREG_FALLBACK=off");
  EXPECT_EQ(finished.status, 1);
  EXPECT_TRUE(has(finished.out, "is not implemented for device openreg.")) << finished.out;
}

TEST(Tour, SaysInOneLineThatTheDeviceCannotStart) {
  expect_error(demo("", "OPENREG_DEVICE_COUNT=99"), "OPENREG_DEVICE_COUNT");
  expect_error(demo("", "OPENREG_DISABLE=1"), "OPENREG_DISABLE");
}
