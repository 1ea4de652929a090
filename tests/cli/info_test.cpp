#include <gtest/gtest.h>

#include "process.h"

TEST(Info, NamesVersionsDevicesAndVariables) {
  const auto finished = demo("info", "OPENREG_DEVICE_COUNT=3");
  EXPECT_EQ(finished.status, 0) << finished.err;
  for (const char* const part : {"libtorch", "openreg:2", "OPENREG_DEVICE_COUNT", "OPENREG_FALLBACK_FORBID"}) {
    EXPECT_TRUE(has(finished.out, part)) << "no '" << part << "' in:\n" << finished.out;
  }
  EXPECT_FALSE(has(finished.out, "openreg:3")) << finished.out;
}
