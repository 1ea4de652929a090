#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <thread>

#include "openreg/openreg.h"
#include "support/samples.h"

// However the process ends, it ends with the status that it was given.
namespace openreg::test {
namespace {

struct Keeper {
  ~Keeper() {
    if (works_at_exit && tensor.defined()) std::printf("%g\n", tensor.add(1).sum().item<double>());
  }
  at::Tensor tensor;
  bool works_at_exit = false;
};

// Made before main, so it dies after whatever openreg and libtorch made later.
Keeper early;

Keeper& late() {
  static Keeper keeper;
  return keeper;
}

at::Tensor& own() {
  thread_local at::Tensor tensor;
  return tensor;
}

class Exit : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(Exit, TensorsInStatics) {
  EXPECT_EXIT(
      {
        early.tensor = at::ones({1000}, device(1));
        late().tensor = at::ones({1000}, device()).requires_grad_() * 2;
        late().tensor.sum().backward();
        std::exit(7);
      },
      testing::ExitedWithCode(7), "");
}

TEST_F(Exit, TheSummaryComesOnceWithEveryOperator) {
  setenv("OPENREG_FALLBACK_SUMMARY", "1", 1);  // the child reads it
  EXPECT_EXIT(
      {
        const auto x = at::ones({10}, device());
        for (int i = 0; i < 3; ++i) x.exp();
        std::exit(7);
      },
      testing::ExitedWithCode(7), "operator .*way .*calls(.|\n)*aten::exp +[a-z ]+ 3 ");
  unsetenv("OPENREG_FALLBACK_SUMMARY");
}

TEST_F(Exit, ARefusedPolicyLeavesNoSummary) {
  setenv("OPENREG_FALLBACK_SUMMARY", "1", 1);
  setenv("OPENREG_FALLBACK_ALLOW", "aten::nosuch", 1);
  EXPECT_EXIT(
      {
        for (int i = 0; i < 2; ++i) EXPECT_THROW(at::ones({10}, device()), c10::Error);
        std::exit(7);
      },
      testing::ExitedWithCode(7), "^$");
  unsetenv("OPENREG_FALLBACK_ALLOW");
  unsetenv("OPENREG_FALLBACK_SUMMARY");
}

TEST_F(Exit, StaticsThatComputeWhileTheyDie) {
  EXPECT_EXIT(
      {
        early.tensor = at::ones({10}, device());
        early.works_at_exit = late().works_at_exit = true;
        late().tensor = at::ones({10}, device(1));
        std::exit(7);
      },
      testing::ExitedWithCode(7), "");
}

TEST_F(Exit, TensorsInThreadLocals) {
  EXPECT_EXIT(
      {
        own() = at::ones({10}, device());
        std::thread([] { own() = at::ones({10}, device(1)).add(1); }).join();
        std::exit(7);
      },
      testing::ExitedWithCode(7), "");
}

TEST_F(Exit, FromASecondThread) {
  EXPECT_EXIT(
      {
        early.tensor = at::ones({10}, device());
        std::thread([] {
          late().tensor = at::ones({10}, device(1)).add(1);
          std::exit(7);
        }).join();
      },
      testing::ExitedWithCode(7), "");
}

TEST_F(Exit, WhileAnotherThreadWorks) {
  EXPECT_EXIT(
      {
        std::atomic<bool> started{false};
        std::thread([&] {
          for (;;) {
            const auto x = at::ones({64}, device()).requires_grad_();
            (x * 2).sum().backward();
            started = true;
          }
        }).detach();
        while (!started) std::this_thread::yield();
        std::quick_exit(7);
      },
      testing::ExitedWithCode(7), "");
}

TEST_F(Exit, WithoutAnyUse) { EXPECT_EXIT(std::exit(7), testing::ExitedWithCode(7), ""); }

TEST_F(Exit, FromAnExitHandlerThatUsesTheDevice) {
  EXPECT_EXIT(
      {
        std::atexit([] { at::ones({10}, device()).add(1); });
        init();
        std::exit(7);
      },
      testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace openreg::test
