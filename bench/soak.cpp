// openreg_soak [SECONDS]: four threads run models in turn on both devices; the resident size must not grow. Prints it
// as it goes; status 1 if the last third of the time shows more than 2 % above the second.
#include <c10/core/GradMode.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "inputs.h"
#include "models.h"
#include "one_thread.h"
#include "openreg/openreg.h"

namespace {

using namespace openreg::bench;
using Clock = std::chrono::steady_clock;

double resident_megabytes() {
  std::ifstream statm("/proc/self/statm");
  double pages = 0;
  double resident = 0;
  statm >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

void work(int thread, const std::vector<Model>& models, const std::atomic<bool>& stop, std::atomic<long>& runs) {
  const c10::AutoGradMode no_grad(false);
  const at::Device device(device_of(true).type(), static_cast<at::DeviceIndex>(thread % openreg::device_count()));
  std::vector<Model> mine;
  for (const auto& model : models) {
    mine.push_back(model.on(device));
  }
  for (std::size_t i = static_cast<std::size_t>(thread); !stop; ++i) {
    mine[i % mine.size()].run();
    ++runs;
  }
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const int seconds = argc > 1 ? std::atoi(argv[1]) : 600;
  setenv("OPENREG_FALLBACK_WARN", "off", /*overwrite=*/0);
  use_one_thread();
  const auto models = load_models();
  std::atomic<bool> stop{false};
  std::atomic<long> runs{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] { work(t, models, stop, runs); });
  }
  std::vector<double> sizes;
  const auto begin = Clock::now();
  constexpr int kSamples = 60;
  for (int i = 1; i <= kSamples; ++i) {
    std::this_thread::sleep_until(begin + std::chrono::milliseconds(1000L * seconds * i / kSamples));
    sizes.push_back(resident_megabytes());
    std::printf("%5d s  %8ld runs  %8.1f MB\n", seconds * i / kSamples, runs.load(), sizes.back());
    std::fflush(stdout);
  }
  stop = true;
  for (auto& thread : threads) {
    thread.join();
  }
  const double middle = median({sizes.begin() + kSamples / 3, sizes.begin() + 2 * kSamples / 3});
  const double last = median({sizes.begin() + 2 * kSamples / 3, sizes.end()});
  std::printf("second third %.1f MB, last third %.1f MB: %s\n", middle, last, last <= 1.02 * middle ? "flat" : "GROWS");
  return last <= 1.02 * middle ? 0 : 1;
}
