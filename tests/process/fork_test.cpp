#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "openreg/memory.h"
#include "openreg/openreg.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

// After fork, a child of a process that used the device may free tensors and exit; all else is refused at once.
namespace openreg::test {
namespace {

at::Tensor& kept() {
  static at::Tensor tensor;
  return tensor;
}

// Status of a child that does `work`; -1 when it does not end within 20 seconds.
int child(const std::function<int()>& work) {
  const auto id = fork();
  if (id == 0) {
    int status = 99;
    try {
      status = work();
    } catch (...) {
      status = 98;
    }
    std::exit(status);  // runs static destructors, as a program does
  }
  for (int i = 0; i < 2000; ++i) {
    int status = 0;
    if (waitpid(id, &status, WNOHANG) == id) return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(id, SIGKILL);
  waitpid(id, nullptr, 0);
  return -1;
}

TEST(Fork, EveryUseIsRefusedAndExitReturns) {
  kept() = at::ones({1000}, device());
  const auto x = at::ones({4}, device()).requires_grad_();
  const auto y = (x * x).sum();
  EXPECT_EQ(child([&] {
              const std::vector<std::function<void()>> uses{[] { at::ones({2}, device()); },
                                                            [&] { x.cpu(); },
                                                            [&] { x.detach().add(1); },
                                                            [&] { x.detach().abs(); },
                                                            [&] { x.detach().abs_(); },
                                                            [&] { x.detach().zero_(); },
                                                            [&] { x.sum().item<float>(); },
                                                            [&] { y.backward(); },
                                                            [] { at::ones({2}).to(device(1)); },
                                                            [] { init(); },
                                                            [] { synchronize(); }};
              int number = 1;
              for (const auto& use : uses) {
                if (!contains(error_of(use), "fork")) return number;
                ++number;
              }
              return 0;
            }),
            0);
  EXPECT_TRUE(same_bits(at::ones({1000}), kept()));
}

TEST(Fork, TheChildFreesInSilence) {
  auto x = at::ones({1000}, device());
  EXPECT_EQ(child([&] {
              x.reset();
              kept().reset();
              return 0;
            }),
            0);
  EXPECT_TRUE(same_bits(at::ones({1000}), x));
}

TEST(Fork, TheChildMayUseTheCpu) {
  at::ones({2}, device());
  EXPECT_EQ(child([] { return at::ones({3}).add(1).sum().item<int>(); }), 6);
}

TEST(Fork, TheParentGoesOn) {
  const auto x = at::arange(4, at::kFloat).to(device()).requires_grad_();
  EXPECT_EQ(child([] { return 0; }), 0);
  (x * x).sum().backward();
  EXPECT_TRUE(same_bits(at::arange(4, at::kFloat) * 2, x.grad()));
}

}  // namespace
}  // namespace openreg::test
