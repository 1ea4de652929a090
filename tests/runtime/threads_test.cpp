#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <gtest/gtest.h>
#include <openreg/memory.h>
#include <openreg/openreg.h>
#include <openreg/stream.h>
#include <torch/script.h>
#include <torch/torch.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "device/runtime.h"
#include "support/compare.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

// OPENREG_STRESS_ROUNDS raises it.
int rounds(int usual) {
  const char* text = std::getenv("OPENREG_STRESS_ROUNDS");
  return text == nullptr ? usual : std::atoi(text);
}

template <typename Work>
void on_threads(int count, Work work) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back(work, t);
  for (auto& thread : threads) thread.join();
}

// Resident bytes of the mapping that holds the devices' bytes.
std::size_t resident_backing_bytes() {
  const auto base = reinterpret_cast<std::uintptr_t>(
      openreg::device::to_host(reinterpret_cast<void*>(openreg::device::detail::device_range_base)));
  const auto end = base + openreg::device::detail::device_range_bytes;
  std::ifstream maps("/proc/self/smaps");
  std::size_t total = 0;
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    unsigned long from = 0;
    unsigned long to = 0;
    unsigned long kilobytes = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &from, &to) == 2) {
      inside = from >= base && to <= end;
    } else if (inside && std::sscanf(line.c_str(), "Rss: %lu kB", &kilobytes) == 1) {
      total += kilobytes << 10;
    }
  }
  return total;
}

// One step of mixed work; 0 when all is right.
int step(int thread, int i, std::vector<at::Tensor>& live, const c10::Stream& stream) {
  const auto on = device((thread + i) % 2);
  const auto value = static_cast<float>(thread * 100 + i % 100);
  switch (i % 7) {
    case 0:
      live.push_back(at::full({1 + (i * 37) % 3000}, value, on));
      return 0;
    case 1:
      return (at::full({64}, value, on) + 1).sum().item<float>() != 64 * (value + 1);
    case 2:
      return at::full({64}, -value, on).abs().max().item<float>() != value;
    case 3:
      return !at::full({100}, value).to(on).cpu().eq(value).all().item<bool>();
    case 4: {
      const auto pinned = at::full({500}, value).pin_memory();
      return pinned.to(on, /*non_blocking=*/true).sum().item<float>() != 500 * value;
    }
    case 5: {
      const auto x = at::full({200}, value, device(0));
      launch(stream, [x] { x.abs(); });
      return x.to(device(1)).min().item<float>() != value;
    }
    default:
      if (live.size() > 20) live.erase(live.begin() + i % 20);
      return live.empty() ? 0
                          : !live[static_cast<std::size_t>(i) % live.size()]
                                 .eq(live[static_cast<std::size_t>(i) % live.size()][0])
                                 .all()
                                 .item<bool>();
  }
}

TEST(Threads, EightOnTwoDevicesLeaveNothingBehind) {
  init();
  empty_cache();
  const std::array before{memory_statistics(0), memory_statistics(1)};
  const auto pinned_before = pinned_statistics();
  const auto resident_before = resident_backing_bytes();
  std::atomic<int> wrong{0};
  on_threads(8, [&](int t) {
    const auto stream = new_stream(0);
    const c10::StreamGuard scope(t % 2 == 0 ? stream : default_stream(0));
    std::vector<at::Tensor> live;
    for (int i = 0; i < rounds(400); ++i) wrong += step(t, i, live, stream);
    stream.synchronize();
  });
  EXPECT_EQ(wrong, 0);
  synchronize(0);
  synchronize(1);
  empty_cache();
  empty_pinned_cache();
  for (std::size_t i = 0; i < 2; ++i) {
    const auto after = memory_statistics(static_cast<c10::DeviceIndex>(i));
    EXPECT_EQ(after.allocated, before[i].allocated);
    EXPECT_EQ(after.waiting, 0u);
    EXPECT_EQ(after.reserved, before[i].reserved);
    EXPECT_EQ(after.allocations - before[i].allocations, after.frees - before[i].frees);
  }
  EXPECT_EQ(pinned_statistics().allocated, pinned_before.allocated);
  EXPECT_EQ(resident_backing_bytes(), resident_before);
}

TEST(Threads, StatisticsOfFourThreadsAddUp) {
  init();
  const auto before = memory_statistics(0);
  std::vector<std::vector<at::Tensor>> live(4);
  on_threads(4, [&](int t) {
    for (int i = 0; i < 250; ++i) live[static_cast<std::size_t>(t)].push_back(at::empty({256}, device()));
  });
  EXPECT_EQ(memory_statistics(0).allocated, before.allocated + 1000 * 1024);
  EXPECT_EQ(memory_statistics(0).allocations, before.allocations + 1000);
  live.clear();
  EXPECT_EQ(memory_statistics(0).allocated, before.allocated);
  EXPECT_GE(memory_statistics(0).peak_allocated, before.allocated + 1000 * 1024);
}

TEST(Threads, OneScriptModuleOnTwoDevices) {
  torch::jit::Module module("affine");
  module.define(R"(
    def forward(self, x):
      y = torch.relu(x.abs() * 2.0 - 1.0)
      return y.mm(y) + 1.0
  )");
  const auto a = at::rand({8, 8});
  const auto expected = module.forward({a}).toTensor();
  std::atomic<int> wrong{0};
  on_threads(8, [&](int t) {
    const auto x = a.to(device(t % 2));
    for (int i = 0; i < rounds(100); ++i) {
      wrong += !at::equal(module.forward({x}).toTensor().cpu(), expected);
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, HandTensorsToEachOtherWithEvents) {
  const auto first = new_stream(0);
  const auto second = new_stream(0);
  auto x = at::zeros({1000}, device());
  for (int i = 0; i < rounds(100); ++i) {
    c10::Event ready(c10::DeviceType::PrivateUse1);
    launch(first, [x] { x.add_(1); });
    ready.record(first);
    ready.block(second);
    launch(second, [x] { x.mul_(1); });
    c10::Event done(c10::DeviceType::PrivateUse1);
    done.record(second);
    done.block(first);
  }
  first.synchronize();
  second.synchronize();
  EXPECT_TRUE(same_bits(at::full({1000}, static_cast<float>(rounds(100))), x));
}

}  // namespace
}  // namespace openreg::test
