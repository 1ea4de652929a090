#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "openreg/openreg.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

// Outlives main, as do results of the fallback kept by a program in static storage.
at::Tensor& kept_until_exit() {
  static at::Tensor tensor;
  return tensor;
}

TEST(Lifetime, ATensorInStaticStorageDiesInPeace) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        kept_until_exit() = at::ones({10}, device()).add(1);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
}

TEST(Lifetime, AForkedChildIsRefusedAtOnceAndFreesInSilence) {
  auto x = at::ones({10}, device());
  const auto child = fork();
  if (child == 0) {
    const bool refused = !error_of([] { at::ones({2}, device()); }).empty();
    x.reset();
    _exit(refused ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(same_bits(at::ones({10}), x));
}

TEST(Lifetime, ATensorMayDieOnAnotherThread) {
  auto x = at::ones({1000}, device(1));
  std::thread([moved = std::move(x)]() mutable { moved.reset(); }).join();
  EXPECT_EQ(current_device(), 0);
}

}  // namespace
}  // namespace openreg::test
