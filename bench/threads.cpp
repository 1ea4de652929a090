#include "threads.h"

#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

#include "openreg/openreg.h"

namespace openreg::bench {
namespace {

struct Work {
  const char* name;
  int calls;
  std::function<void(const at::Tensor& x)> call;
  std::vector<std::int64_t> shape;
};

const std::vector<Work>& works() {
  static const std::vector<Work> all{
      {"add 1", 20'000, [](const at::Tensor& x) { static_cast<void>(at::add(x, x)); }, {1}},
      {"add 64 Ki", 2'000, [](const at::Tensor& x) { static_cast<void>(at::add(x, x)); }, {1 << 16}},
      {"mm 128, relu, sum",
       500,
       [](const at::Tensor& x) { static_cast<void>(at::relu(at::mm(x, x)).sum()); },
       {128, 128}},
      {"conv 16x28x28",
       100,
       [](const at::Tensor& x) { static_cast<void>(at::conv2d(x, x.narrow(2, 0, 3).narrow(3, 0, 3), {}, 1, 1)); },
       {16, 16, 28, 28}},
  };
  return all;
}

// Calls a second, all threads together.
double throughput(const Work& work, int threads, c10::Device device) {
  const auto body = [&] {
    at::set_num_threads(1);
    const c10::AutoGradMode no_grad(false);
    const auto x = at::ones(work.shape, at::device(device));
    for (int i = 0; i < work.calls; ++i) work.call(x);
  };
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(body);
  body();
  for (auto& thread : others) thread.join();
  const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return threads * work.calls / seconds;
}

double speed_up(const Work& work, c10::Device device) {
  std::vector<double> ratios;
  for (int round = 0; round < 7; ++round) {
    const auto one = throughput(work, 1, device);
    ratios.push_back(throughput(work, 2, device) / one);
  }
  std::sort(ratios.begin(), ratios.end());
  return ratios[ratios.size() / 2];
}

}  // namespace

void print_two_threads() {
  std::printf("\n%-24s  %12s  %12s  (%u processors)\n", "two threads, speed-up", "CPU", "openreg",
              std::thread::hardware_concurrency());
  for (const auto& work : works()) {
    const auto cpu = speed_up(work, c10::kCPU);
    std::printf("%-24s  %12.2f  %12.2f\n", work.name, cpu, speed_up(work, parse_device("openreg")));
    std::fflush(stdout);
  }
}

}  // namespace openreg::bench
