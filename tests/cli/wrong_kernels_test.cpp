#include <gtest/gtest.h>

#include "process.h"

namespace {

Finished wrong(const std::string& arguments) { return run(OPENREG_DEMO_WRONG, arguments); }

}  // namespace

// The program must notice wrong kernels; the same program with right ones is in tour_test.cpp and run_test.cpp.
TEST(WrongKernels, TourNoticesAbs) {
  const auto finished = wrong("abs");
  EXPECT_EQ(finished.status, 1);
  EXPECT_TRUE(has(finished.out, "FAILED  y equals the CPU's")) << finished.out;
  EXPECT_TRUE(has(finished.out, "y differs by 2 at [0]: -1 on openreg:0, 1 on the CPU")) << finished.out;
  EXPECT_TRUE(has(finished.out, "A small network, beside the CPU: y equals the CPU's")) << finished.out;
}

TEST(WrongKernels, TourNoticesZeroedFallback) {
  const auto finished = wrong("fallback");
  EXPECT_EQ(finished.status, 1);
  EXPECT_TRUE(has(finished.out, "sub: the fallback, selected for one operator: y equals the CPU's")) << finished.out;
  EXPECT_TRUE(has(finished.out, "y differs by 3 at [0]: 0 on openreg:0, -3 on the CPU")) << finished.out;
}

TEST(WrongKernels, RunNoticesAbs) {
  const auto finished = wrong("abs run");
  expect_error(finished, "output differs by ");
  EXPECT_TRUE(has(finished.out, "FAILED")) << finished.out;
}

TEST(WrongKernels, RunNoticesZeroedFallback) {
  const auto finished = wrong("fallback run");
  expect_error(finished, "output differs by ");
  EXPECT_TRUE(has(finished.err, ": 0 on openreg:0, ")) << finished.err;
}
