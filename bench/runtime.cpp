// openreg_runtime_bench: what the device costs as a runtime, each time beside what the CPU does for the same. The usual
// flags of Google Benchmark, such as --benchmark_filter=allocate.
#include <ATen/Functions.h>
#include <benchmark/benchmark.h>
#include <c10/core/CPUAllocator.h>

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "openreg/openreg.h"
#include "openreg/stream.h"

namespace openreg::bench {
namespace {

enum Place : int { cpu = 0, on_openreg = 1 };

c10::Allocator& allocator_of(const benchmark::State& state) {
  init();
  return state.range(0) == cpu ? *c10::GetCPUAllocator() : *c10::GetAllocator(c10::DeviceType::PrivateUse1);
}

// Arguments: place, bytes, blocks that live meanwhile.
void allocate_and_free(benchmark::State& state) {
  auto& allocator = allocator_of(state);
  const auto bytes = static_cast<std::size_t>(state.range(1));
  std::vector<c10::DataPtr> live;
  for (std::int64_t i = 0; i < state.range(2); ++i) live.push_back(allocator.allocate(bytes));
  for (auto _ : state) {
    auto block = allocator.allocate(bytes);
    benchmark::DoNotOptimize(block.get());
  }
}

// Arguments: place, elements.
void empty_tensor(benchmark::State& state) {
  init();
  const auto where = state.range(0) == cpu ? c10::Device(c10::kCPU) : parse_device("openreg");
  for (auto _ : state) {
    auto x = at::empty({state.range(1)}, where);
    benchmark::DoNotOptimize(x.unsafeGetTensorImpl());
  }
}

constexpr std::size_t kCopied = 64 << 20;
constexpr std::int64_t kElements = kCopied / sizeof(float);

void copy_by_memcpy(benchmark::State& state) {
  const auto from = at::ones({kElements});
  auto to = at::ones({kElements});
  for (auto _ : state) {
    std::memcpy(to.data_ptr(), from.data_ptr(), kCopied);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(kCopied) * state.iterations());
}

// Argument: 0 to the device, 1 to the host.
void copy_by_openreg(benchmark::State& state) {
  const auto device = at::ones({kElements}, parse_device("openreg"));
  const auto host = at::ones({kElements});
  auto to = state.range(0) == 0 ? device : host;
  const auto from = state.range(0) == 0 ? host : device;
  for (auto _ : state) {
    to.copy_(from);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(kCopied) * state.iterations());
}

// What any hand-over to another thread and back costs here.
void round_trip_by_condition_variable(benchmark::State& state) {
  std::mutex mutex;
  std::condition_variable changed;
  int turn = 0;  // 1: the worker's, 2: over
  std::thread worker([&] {
    std::unique_lock lock(mutex);
    while (turn != 2) {
      changed.wait(lock, [&] { return turn != 0; });
      if (turn == 1) turn = 0;
      changed.notify_all();
    }
  });
  for (auto _ : state) {
    std::unique_lock lock(mutex);
    turn = 1;
    changed.notify_all();
    changed.wait(lock, [&] { return turn == 0; });
  }
  {
    const std::lock_guard lock(mutex);
    turn = 2;
    changed.notify_all();
  }
  worker.join();
}

void launch_and_synchronize(benchmark::State& state) {
  const auto stream = new_stream();
  for (auto _ : state) {
    launch(stream, [] {});
    stream.synchronize();
  }
}

void record_event_on_an_idle_stream(benchmark::State& state) {
  const auto stream = new_stream();
  c10::Event event(c10::DeviceType::PrivateUse1);
  for (auto _ : state) {
    event.record(stream);
  }
}

BENCHMARK(allocate_and_free)
    ->ArgNames({"openreg", "bytes", "live"})
    ->ArgsProduct({{cpu, on_openreg}, {4 << 10}, {0, 100000}})
    ->ArgsProduct({{cpu, on_openreg}, {64 << 20}, {0}});
BENCHMARK(allocate_and_free)
    ->ArgNames({"openreg", "bytes", "live"})
    ->ArgsProduct({{cpu, on_openreg}, {4 << 10}, {0}})
    ->Threads(4)
    ->UseRealTime();
BENCHMARK(empty_tensor)->ArgNames({"openreg", "elements"})->ArgsProduct({{cpu, on_openreg}, {1, 1 << 10, 1 << 20}});
BENCHMARK(copy_by_memcpy)->UseRealTime();
BENCHMARK(copy_by_openreg)->ArgName("to_host")->Arg(0)->Arg(1)->UseRealTime();
BENCHMARK(round_trip_by_condition_variable)->UseRealTime();
BENCHMARK(launch_and_synchronize)->UseRealTime();
BENCHMARK(record_event_on_an_idle_stream);

}  // namespace
}  // namespace openreg::bench

BENCHMARK_MAIN();
