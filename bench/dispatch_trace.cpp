// What the dispatch trace costs: a hop with the trace off against libtorch's own function in the same run, an event
// collected in memory, and lines of the text sink a second.
#include <dlfcn.h>
#include <time.h>

#include <fstream>

#include <benchmark/benchmark.h>

#include <openreg/trace.h>

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_has_compatible_shallow_copy_type_ops.h>
#include <ATen/ops/add_ops.h>
#include <ATen/ops/ones.h>

namespace {

namespace trace = openreg::trace;
using Small = at::_ops::_has_compatible_shallow_copy_type;
using Add = at::_ops::add_Tensor;

// libtorch's own function, past the one of the trace.
template <typename Function>
Function own(const char* symbol) {
  auto* const function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, symbol));
  TORCH_CHECK(function != nullptr, symbol, " is not exported by libtorch");
  return function;
}

// Processor time of this thread: what else the machine does is not counted.
double now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

template <typename F>
double nanoseconds(int calls, F&& call) {
  const double begin = now();
  for (int i = 0; i < calls; ++i) {
    call();
  }
  return (now() - begin) / calls;
}

// Both ways in turn, so that the state of the caches falls on both.
void hop_when_off(benchmark::State& state) {
  const at::Tensor x = at::ones({1});
  auto* const direct = own<Small::ptr_schema>("_ZN2at4_ops33_has_compatible_shallow_copy_type4callERKNS_6TensorES4_");
  double with = 0;
  double without = 0;
  for (auto _ : state) {
    const double hooked = nanoseconds(10000, [&] { benchmark::DoNotOptimize(Small::call(x, x)); });
    const double plain = nanoseconds(10000, [&] { benchmark::DoNotOptimize(direct(x, x)); });
    with += hooked;
    without += plain;
    state.SetIterationTime((hooked + plain) * 1e-5);
  }
  const auto rounds = static_cast<double>(state.iterations());
  state.counters["with_ns"] = with / rounds;
  state.counters["without_ns"] = without / rounds;
  state.counters["hop_ns"] = (with - without) / rounds;
}

void event_to_memory(benchmark::State& state) {
  const at::Tensor x = at::ones({1});
  double with = 0;
  double without = 0;
  for (auto _ : state) {
    trace::Collector collector;
    const double traced = nanoseconds(10000, [&] { benchmark::DoNotOptimize(Small::call(x, x)); });
    const auto events = collector.stop().size();
    TORCH_CHECK(events == 10000, events);
    const double plain = nanoseconds(10000, [&] { benchmark::DoNotOptimize(Small::call(x, x)); });
    with += traced;
    without += plain;
    state.SetIterationTime((traced + plain) * 1e-5);
  }
  const auto rounds = static_cast<double>(state.iterations());
  state.counters["event_ns"] = (with - without) / rounds;
}

void text_lines(benchmark::State& state) {
  const at::Tensor x = at::ones({1});
  std::ofstream out("/dev/null");
  std::int64_t lines = 0;
  const trace::Scope scope(trace::text_sink(out));
  for (auto _ : state) {
    benchmark::DoNotOptimize(Small::call(x, x));
    ++lines;
  }
  state.counters["lines"] = benchmark::Counter(static_cast<double>(lines), benchmark::Counter::kIsRate);
}

void add_of_one_element(benchmark::State& state) {
  const at::Tensor x = at::ones({1});
  for (auto _ : state) {
    benchmark::DoNotOptimize(Add::call(x, x, 1));
  }
}

BENCHMARK(hop_when_off)->UseManualTime()->Iterations(50);
BENCHMARK(event_to_memory)->UseManualTime()->Iterations(20);
BENCHMARK(text_lines);
BENCHMARK(add_of_one_element);

}  // namespace

int main(int argc, char** argv) {
  at::set_num_threads(1);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
