// Profiles a few training steps on openreg with libtorch's own profiler: a table on stdout, and a trace for
// chrome://tracing or ui.perfetto.dev in the file that the first argument names.
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/torch.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

namespace profiler = torch::autograd::profiler;
using torch::profiler::impl::ActivityType;
using torch::profiler::impl::ProfilerConfig;
using torch::profiler::impl::ProfilerState;

struct Row {
  std::string name;
  std::size_t calls = 0;
  double host_us = 0;
  double device_us = 0;
};

// The times of an operator contain those of the operators that it calls.
std::vector<Row> rows_of(const profiler::ProfilerResult& result) {
  std::map<std::string, Row> by_name;
  for (const auto& event : result.events()) {
    const auto device_us = event.privateuse1ElapsedUs();
    if (device_us < 0) continue;  // no operator: memory, marks
    Row& row = by_name[event.name()];
    row.name = event.name();
    row.calls += 1;
    row.host_us += static_cast<double>(event.durationNs()) / 1000;
    row.device_us += static_cast<double>(device_us);
  }
  std::vector<Row> rows;
  for (const auto& [name, row] : by_name) rows.push_back(row);
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.device_us > b.device_us; });
  return rows;
}

void training_step(torch::nn::Sequential& net, torch::optim::Optimizer& optimizer, const torch::Tensor& x) {
  RECORD_USER_SCOPE("step");
  optimizer.zero_grad();
  net->forward(x).square().mean().backward();
  optimizer.step();
}

int main(int argc, char** argv) {
  const torch::Device device("openreg");
  torch::nn::Sequential net(torch::nn::Linear(256, 512), torch::nn::ReLU(), torch::nn::Linear(512, 10));
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), 0.01);
  const auto x = torch::rand({64, 256}, device);
  training_step(net, optimizer, x);  // the first step starts the device

  const ProfilerConfig config(ProfilerState::KINETO_PRIVATEUSE1_FALLBACK);
  profiler::prepareProfiler(config, {ActivityType::CPU});
  profiler::enableProfiler(config, {ActivityType::CPU});
  for (int step = 0; step < 5; ++step) {
    training_step(net, optimizer, x);
  }
  const auto result = profiler::disableProfiler();

  std::printf("%-28s %6s %10s %10s\n", "operator", "calls", "host us", "device us");
  for (const Row& row : rows_of(*result)) {
    std::printf("%-28.28s %6zu %10.0f %10.0f\n", row.name.c_str(), row.calls, row.host_us, row.device_us);
  }
  if (argc > 1) {
    result->save(argv[1]);
  }
}
