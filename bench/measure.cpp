#include "measure.h"

#include <time.h>

#include <algorithm>
#include <cmath>

#include "fallback/host_session.h"
#include "openreg/fallback.h"
#include "openreg/openreg.h"

namespace openreg::bench {
namespace {

double now(bool wall_time) {
  timespec time{};
  clock_gettime(wall_time ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

double time_batch(const std::function<void()>& body, int calls, bool wall_time) {
  const double begin = now(wall_time);
  for (int i = 0; i < calls; ++i) {
    body();
  }
  return (now(wall_time) - begin) / calls;
}

class WayScope {
 public:
  explicit WayScope(Way way) {
    fallback::set_host_access(way == Way::staged ? fallback::HostAccess::staged : fallback::HostAccess::mapped);
    if (way == Way::stock) {
      FallbackPolicy policy = fallback_policy();
      policy.mode = FallbackMode::stock;
      policy_.emplace(policy);
    }
  }
  ~WayScope() { fallback::set_host_access(fallback::HostAccess::mapped); }
  WayScope(const WayScope&) = delete;
  WayScope& operator=(const WayScope&) = delete;

 private:
  std::optional<FallbackPolicyScope> policy_;
};

struct Runner {
  std::function<void()> body;
  int calls = 0;
  std::vector<double> times;
};

double quantile(const std::vector<double>& sorted, double part) {
  return sorted[static_cast<std::size_t>(std::lround(part * static_cast<double>(sorted.size() - 1)))];
}

void run_batch(Runner& runner, const Case& one, Way way) {
  const WayScope scope(way);
  const auto held = way != Way::cpu && one.scope ? one.scope() : nullptr;
  runner.times.push_back(time_batch(runner.body, runner.calls, one.wall_time));
}

// The number of calls that fill a batch. Also warms up, three times as often as TorchScript needs to compile.
void choose_calls(Runner& runner, const Case& one, Way way, const Effort& effort) {
  const WayScope scope(way);
  const auto held = way != Way::cpu && one.scope ? one.scope() : nullptr;
  for (int i = 0; i < 3; ++i) {
    runner.body();
  }
  runner.calls = 1;
  for (double spent = 0; runner.calls < 100'000; runner.calls *= 2) {
    spent = time_batch(runner.body, runner.calls, one.wall_time) * runner.calls;
    if (spent >= effort.batch_microseconds / 2) {
      break;
    }
  }
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.5), quantile(values, 0.25), quantile(values, 0.75)};
}

Row measure(const Case& one, const Effort& effort) {
  Row row{one.group, one.name, one.series, one.size, one.bytes, {}, {}, {}};
  std::array<Runner, kWays> runners;
  for (std::size_t way = 0; way < kWays; ++way) {
    if (way < 2 || !one.openreg_alone) {
      runners[way].body = one.make(way != 0);
    }
    if (runners[way].body) {
      choose_calls(runners[way], one, static_cast<Way>(way), effort);
    }
  }
  for (int i = 0; i < effort.repetitions; ++i) {
    for (std::size_t way = 0; way < kWays; ++way) {
      if (runners[way].body) {
        run_batch(runners[way], one, static_cast<Way>(way));
      }
    }
  }
  const auto& cpu = runners[0].times;
  for (std::size_t way = 0; way < kWays; ++way) {
    const auto& times = runners[way].times;
    if (times.empty()) {
      continue;
    }
    row.microseconds[way] = spread_of(times);
    if (cpu.empty()) {
      continue;
    }
    std::vector<double> ratios;
    std::vector<double> differences;
    for (std::size_t i = 0; i < times.size(); ++i) {
      ratios.push_back(times[i] / cpu[i]);
      differences.push_back(times[i] - cpu[i]);
    }
    row.ratio[way] = spread_of(ratios);
    if (way == static_cast<std::size_t>(Way::mapped)) {
      row.extra = spread_of(differences);
    }
  }
  return row;
}

}  // namespace openreg::bench
