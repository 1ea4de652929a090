#include <gtest/gtest.h>

#include "process.h"

// The kernels that are registered at first use of the device are in the tables, as `ops` shows them.
TEST(Dispatch, TablesHaveWhatIsRegisteredAtFirstUse) {
  const auto forwarded = demo("dispatch dump_table aten::add.Tensor");
  EXPECT_EQ(forwarded.status, 0) << forwarded.err;
  EXPECT_TRUE(has(forwarded.out, "\nPrivateUse1: registered at ")) << forwarded.out;
  EXPECT_TRUE(has(forwarded.out, "src/ops/forwarded_")) << forwarded.out;
  EXPECT_EQ(demo("dispatch has_kernel_for_dispatch_key aten::atan2 openreg").out, "true\n");
}

TEST(Dispatch, AnswersWithoutTheDeviceToo) {
  const auto finished = demo("dispatch has_kernel_for_dispatch_key aten::atan2 PrivateUse1", "OPENREG_DISABLE=1");
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_EQ(finished.out, "false\n");
}

TEST(Doctor, SaysThatTheDeviceIsSwitchedOff) {
  const auto finished = demo("doctor", "OPENREG_DISABLE=1");
  EXPECT_EQ(finished.status, 1);
  EXPECT_TRUE(has(finished.out, "switched off by OPENREG_DISABLE=1: ")) << finished.out;
  EXPECT_FALSE(has(finished.out, "another")) << finished.out;
  EXPECT_FALSE(has(finished.out, "link openreg::openreg")) << finished.out;
  EXPECT_EQ(finished.out.find("FAILS"), finished.out.rfind("FAILS")) << finished.out;
}
