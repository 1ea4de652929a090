#include "threads.h"

#include <ATen/Functions.h>
#include <c10/core/GradMode.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

#include "one_thread.h"
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
      {"add 1", 4'000, [](const at::Tensor& x) { static_cast<void>(at::add(x, x)); }, {1}},
      {"add 64 Ki", 200, [](const at::Tensor& x) { static_cast<void>(at::add(x, x)); }, {1 << 16}},
      {"mm 128, relu, sum",
       50,
       [](const at::Tensor& x) { static_cast<void>(at::relu(at::mm(x, x)).sum()); },
       {128, 128}},
      {"conv 16x28x28",
       20,
       [](const at::Tensor& x) { static_cast<void>(at::conv2d(x, x.narrow(2, 0, 3).narrow(3, 0, 3), {}, 1, 1)); },
       {16, 16, 28, 28}},
  };
  return all;
}

// Each thread on a processor of its own: on a machine that others use, the system is slow to find that out.
void pin_to_processor(int index) {
  cpu_set_t all;
  if (sched_getaffinity(0, sizeof(all), &all) != 0 || CPU_COUNT(&all) == 0) return;
  index %= CPU_COUNT(&all);
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (CPU_ISSET(processor, &all) && index-- == 0) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(processor, &one);
      sched_setaffinity(0, sizeof(one), &one);
    }
  }
}

// Seconds from the first call of any thread to the last of all.
double seconds(const Work& work, std::ptrdiff_t threads, c10::Device device) {
  using Clock = std::chrono::steady_clock;
  struct Span {
    Clock::time_point begin, end;
  };
  std::vector<Span> spans(static_cast<std::size_t>(threads));
  std::barrier start(threads);
  const auto body = [&](std::ptrdiff_t index) {
    pin_to_processor(static_cast<int>(index));
    use_one_thread();
    const c10::AutoGradMode no_grad(false);
    const auto x = at::ones(work.shape, at::device(device));
    for (int i = 0; i < work.calls / 10; ++i) work.call(x);
    start.arrive_and_wait();
    auto& span = spans[static_cast<std::size_t>(index)];
    span.begin = Clock::now();
    for (int i = 0; i < work.calls; ++i) work.call(x);
    span.end = Clock::now();
  };
  std::vector<std::thread> all;
  for (std::ptrdiff_t i = 0; i < threads; ++i) all.emplace_back(body, i);
  for (auto& thread : all) thread.join();
  auto whole = spans[0];
  for (const auto& span : spans) {
    whole.begin = std::min(whole.begin, span.begin);
    whole.end = std::max(whole.end, span.end);
  }
  return std::chrono::duration<double>(whole.end - whole.begin).count();
}

struct SpeedUp {
  double cpu;
  double openreg;
};

// The best of many short rounds, CPU and openreg in turn: what else the machine does makes rounds slower only.
SpeedUp speed_up(const Work& work) {
  const std::array devices{c10::Device(c10::kCPU), parse_device("openreg")};
  std::array<std::array<double, 2>, 2> best{{{1e9, 1e9}, {1e9, 1e9}}};
  for (int round = 0; round < 100; ++round) {
    for (std::size_t device = 0; device < 2; ++device) {
      for (std::ptrdiff_t threads = 1; threads <= 2; ++threads) {
        auto& time = best[device][static_cast<std::size_t>(threads - 1)];
        time = std::min(time, seconds(work, threads, devices[device]));
      }
    }
  }
  return {2 * best[0][0] / best[0][1], 2 * best[1][0] / best[1][1]};
}

}  // namespace

void print_two_threads() {
  std::printf("\n%-24s  %12s  %12s  (%u processors)\n", "two threads, speed-up", "CPU", "openreg",
              std::thread::hardware_concurrency());
  for (const auto& work : works()) {
    const auto [cpu, openreg] = speed_up(work);
    std::printf("%-24s  %12.2f  %12.2f\n", work.name, cpu, openreg);
    std::fflush(stdout);
  }
}

}  // namespace openreg::bench
