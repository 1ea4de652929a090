#include "comparison.h"

#include <algorithm>
#include <cstdio>

#include "openreg/fallback.h"

namespace openreg::bench {
namespace {

constexpr const char* kWays[] = {"cpu", "openreg", "stock"};

// Keeps every repetition's time; prints nothing.
class Collector final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const auto& run : runs) {
      if (run.run_type == Run::RT_Iteration) {
        times_[run.run_name.function_name].push_back(run.real_accumulated_time / static_cast<double>(run.iterations));
      }
    }
  }

  // Microseconds.
  double median(const std::string& way) {
    auto& times = times_[way];
    std::sort(times.begin(), times.end());
    return times.empty() ? 0 : times[times.size() / 2] * 1e6;
  }

 private:
  std::map<std::string, std::vector<double>> times_;
};

void measure(benchmark::State& state, const Case& one, const std::string& way) {
  FallbackPolicy policy = fallback_policy();
  policy.mode = way == "stock" ? FallbackMode::stock : FallbackMode::global;
  const FallbackPolicyScope scope(policy);
  const auto body = one.make(way != "cpu");
  body();
  for (auto _ : state) {
    body();
  }
}

}  // namespace

void Comparison::print_head() const {
  std::printf("%-24s  %12s  %12s  %12s  %9s  %9s  %s\n", "case", "CPU us", "openreg us", "stock us", "openreg/C",
              "stock/C", "limit");
}

void Comparison::run(const Case& one) {
  benchmark::ClearRegisteredBenchmarks();
  for (const std::string way : kWays) {
    benchmark::RegisterBenchmark(way.c_str(), [&one, way](benchmark::State& state) { measure(state, one, way); })
        ->Repetitions(repetitions_)
        ->UseRealTime();
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  const auto cpu = collector.median("cpu");
  const auto ours = collector.median("openreg");
  const auto stock = collector.median("stock");
  const bool within = ours <= std::max(1.05 * cpu, cpu + 2);
  over_limit_ += within ? 0 : 1;
  std::printf("%-24s  %12.2f  %12.2f  %12.2f  %9.2f  %9.2f  %s\n", one.name.c_str(), cpu, ours, stock, ours / cpu,
              stock / cpu, within ? "ok" : "OVER");
  std::fflush(stdout);
}

}  // namespace openreg::bench
