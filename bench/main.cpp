#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <c10/core/GradMode.h>
#include <torch/version.h>

#include <cstdio>
#include <string>

#include "comparison.h"
#include "operators.h"

// openreg_bench [WORD]: every case, or those whose name holds WORD. One thread.
int main(int argc, char** argv) {
  using namespace openreg::bench;
  const std::string word = argc > 1 ? argv[1] : "";
  at::set_num_threads(1);
  const c10::AutoGradMode no_grad(false);
  int interleaved = 3;
  std::string flags[] = {"openreg_bench", "--benchmark_enable_random_interleaving=true", "--benchmark_min_time=0.05"};
  char* arguments[] = {flags[0].data(), flags[1].data(), flags[2].data(), nullptr};
  benchmark::Initialize(&interleaved, arguments);
  add_operator_cases();
  std::printf("libtorch %s, %d thread; median of 9 repetitions, CPU / openreg / stock interleaved\n", TORCH_VERSION,
              at::get_num_threads());
  Comparison comparison(9);
  comparison.print_head();
  for (const auto& one : cases()) {
    if (one.name.find(word) != std::string::npos) {
      comparison.run(one);
    }
  }
  std::printf("%d over the limit: openreg at most max(1.05 x CPU, CPU + 2 us)\n", comparison.over_limit());
  return 0;
}
