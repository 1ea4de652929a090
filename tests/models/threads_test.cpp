#include <gtest/gtest.h>
#include <openreg/openreg.h>
#include <torch/script.h>
#include <torch/torch.h>

#include <atomic>
#include <thread>

#include "models/built_models.h"
#include "models/run_both.h"
#include "support/compare.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

// Each of two devices has a scripted module that four threads share, each with inputs of its own. A driver with one
// device has both modules there.
TEST(Threads, EightGiveTheCpusResultsTwoHundredTimes) {
  constexpr int kThreads = 8;
  constexpr int kForwards = 200;
  const int second = device_count() > 1 ? 1 : 0;
  for (const char* name : {"CnnWithBatchNorm", "Lstm"}) {
    const torch::NoGradGuard no_grad;
    auto model = built_model(name);
    std::vector<torch::jit::Module> modules{model.module.clone(), model.module.clone()};
    modules[0].to(device(0));
    modules[1].to(device(second));
    std::vector<std::thread> threads;
    std::vector<std::string> problems(kThreads);
    std::atomic<int> right{0};
    for (int t = 0; t < kThreads; ++t) {
      const auto input = at::randn_like(model.inputs[0].toTensor());
      // With another number of OpenMP threads convolution rounds differently: close, and never another's result.
      const auto expected = leaves(model.module.forward({input}));
      threads.emplace_back([&, t, input, expected] {
        const torch::NoGradGuard no_grad_here;
        const auto where = device(t % 2 == 0 ? 0 : second);
        const auto on_device = input.to(where);
        try {
          for (int i = 0; i < kForwards; ++i) {
            const auto actual = leaves(modules[static_cast<std::size_t>(t % 2)].forward({on_device}));
            bool same = actual.size() == expected.size();
            for (std::size_t k = 0; same && k < actual.size(); ++k) {
              same = actual[k].device() == where && close_to(expected[k], actual[k], 1e-5);
            }
            right += same ? 1 : 0;
          }
        } catch (const std::exception& error) {
          problems[static_cast<std::size_t>(t)] = error.what();
        }
      });
    }
    for (auto& thread : threads) thread.join();
    for (const auto& problem : problems) EXPECT_EQ(problem, "") << name;
    EXPECT_EQ(right, kThreads * kForwards) << name;
  }
}

}  // namespace
}  // namespace openreg::test
