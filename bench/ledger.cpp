#include "ledger.h"

#include <ATen/ops/add.h>
#include <ATen/ops/ones.h>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "fallback/operator_record.h"
#include "openreg/fallback.h"
#include "openreg/openreg.h"

namespace openreg::bench {
namespace {

constexpr int kRounds = 15;

template <typename Call>
double nanoseconds(int calls, Call&& call) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) call();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / calls;
}

double median(std::vector<double>& times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// Off and on in turn, so that the machine's drift falls on both.
template <typename Call>
void print_row(const char* name, int calls, bool limited, Call&& call) {
  std::vector<double> off;
  std::vector<double> on;
  for (int round = 0; round < kRounds; ++round) {
    set_ledger(false);
    off.push_back(nanoseconds(calls, call));
    set_ledger(true);
    on.push_back(nanoseconds(calls, call));
  }
  set_ledger(false);
  const auto off_ns = median(off);
  const auto on_ns = median(on);
  const char* verdict = !limited ? "" : off_ns <= 10 && on_ns <= 150 ? "ok" : "OVER";
  std::printf("%-24s  %12.1f  %12.1f  %12.1f  %s\n", name, off_ns, on_ns, on_ns - off_ns, verdict);
}

}  // namespace

void print_ledger_cost() {
  const bool was_on = ledger_on();
  std::printf("\n%-24s  %12s  %12s  %12s  %s\n", "ledger", "off ns", "on ns", "difference", "limit 10, 150");
  auto& record = fallback::operator_record("openreg::custom_abs");
  print_row("its part of a call", 100'000, true, [&] {
    const fallback::LedgerTimer timer(record, Way::native);
    benchmark::ClobberMemory();
  });
  const auto x = at::ones({1}, at::device(parse_device("openreg")));
  print_row("add of 1 element", 20'000, false, [&] { benchmark::DoNotOptimize(at::add(x, x)); });
  reset_ledger();
  set_ledger(was_on);
}

}  // namespace openreg::bench
