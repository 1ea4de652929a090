#include <gtest/gtest.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/script.h>
#include <torch/torch.h>

#include <fstream>
#include <map>
#include <thread>

#include "openreg/openreg.h"
#include "openreg/stream.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

// libtorch's own profiler around operators on openreg.
namespace openreg::test {
namespace {

namespace profiler = torch::autograd::profiler;
using torch::profiler::impl::ActivityType;
using torch::profiler::impl::ProfilerConfig;
using torch::profiler::impl::ProfilerState;

std::unique_ptr<profiler::ProfilerResult> profile(const std::function<void()>& code, bool shapes = false,
                                                  bool memory = false) {
  const ProfilerConfig config(ProfilerState::KINETO_PRIVATEUSE1_FALLBACK, shapes, memory);
  profiler::prepareProfiler(config, {ActivityType::CPU});
  profiler::enableProfiler(config, {ActivityType::CPU});
  try {
    code();
  } catch (...) {
    profiler::disableProfiler();
    throw;
  }
  return profiler::disableProfiler();
}

// Device time in microseconds of each event, by name; the last one of a name counts.
std::map<std::string, std::int64_t> device_times(const profiler::ProfilerResult& result) {
  std::map<std::string, std::int64_t> times;
  for (const auto& event : result.events()) {
    times[event.name()] = event.privateuse1ElapsedUs();
  }
  return times;
}

TEST(Profiler, OperatorsHaveTimeOnTheDevice) {
  const auto x = at::rand({256, 256}, device());
  const auto result = profile([&] { at::relu(at::mm(x, x)); });
  const auto times = device_times(*result);
  ASSERT_EQ(times.count("aten::mm"), 1U);
  ASSERT_EQ(times.count("aten::relu"), 1U);
  EXPECT_GT(times.at("aten::mm"), 0);
  EXPECT_GE(times.at("aten::relu"), 0);
}

TEST(Profiler, TimeOnTheDeviceIsNotTheCallersTime) {
  const auto result = profile([] {
    RECORD_USER_SCOPE("queued");
    launch(current_stream(), [] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); });
  });
  synchronize();
  for (const auto& event : result->events()) {
    if (event.name() == "queued") {
      EXPECT_GE(event.privateuse1ElapsedUs(), 50000);
      return;
    }
  }
  FAIL() << "the scope is not among the events";
}

void product_in_a_scope(const at::Tensor& x) {
  RECORD_USER_SCOPE("inner");
  at::mm(x, x);
}

TEST(Profiler, UserScopesNestAroundOperators) {
  const auto x = at::rand({4, 4}, device());
  const auto result = profile([&] {
    RECORD_USER_SCOPE("outer");
    product_in_a_scope(x);
  });
  const auto times = device_times(*result);
  EXPECT_GE(times.at("outer"), times.at("inner"));
  EXPECT_GE(times.at("inner"), times.at("aten::mm"));
}

TEST(Profiler, StreamsEventsAndDevicesMayChangeInside) {
  const auto a = at::rand({32, 32});
  const auto product = at::mm(a, a);
  const auto result = profile([&] {
    for (c10::DeviceIndex index = 0; index < 2; ++index) {
      const c10::DeviceGuard on(device(index));
      const auto x = a.to(device(index));
      for (int i = 0; i < 2; ++i) {
        const auto stream = new_stream(index);
        const c10::StreamGuard scope(stream);
        RECORD_USER_SCOPE(index == 0 ? "on the first" : "on the second");
        const auto y = at::mm(x, x);
        c10::Event event(c10::DeviceType::PrivateUse1);
        event.record(stream);
        event.synchronize();
        EXPECT_TRUE(same_bits(product, y));
      }
    }
  });
  std::map<std::string, int> timed;
  for (const auto& event : result->events()) timed[event.name()] += event.privateuse1ElapsedUs() >= 0 ? 1 : 0;
  EXPECT_EQ(timed["on the first"], 2);
  EXPECT_EQ(timed["on the second"], 2);
  EXPECT_GE(timed["aten::mm"], 4);
}

TEST(Profiler, BackwardPassesAndCopiesAreThere) {
  torch::nn::Linear net(3, 2);
  const auto result = profile([&] {
    net->to(device());
    net(at::rand({4, 3}).to(device())).sum().backward();
    net->weight.grad().cpu();
  });
  const auto times = device_times(*result);
  for (const auto* name : {"aten::addmm", "AddmmBackward0", "aten::_copy_from"}) {
    EXPECT_EQ(times.count(name), 1U) << name;
  }
}

TEST(Profiler, ShapesAreRecorded) {
  const auto x = at::rand({2, 5}, device());
  const auto result = profile([&] { at::mm(x, x.t()); }, true);
  for (const auto& event : result->events()) {
    if (event.name() == "aten::mm") {
      ASSERT_EQ(event.shapes().size(), 2U);
      EXPECT_EQ(event.shapes()[0], (std::vector<std::int64_t>{2, 5}));
      EXPECT_EQ(event.shapes()[1], (std::vector<std::int64_t>{5, 2}));
      return;
    }
  }
  FAIL() << "no aten::mm";
}

TEST(Profiler, MemoryOfTheDeviceIsReported) {
  std::int64_t most = 0;
  const auto result = profile([] { at::empty({1 << 20}, device(1)); }, false, true);
  for (const auto& event : result->events()) {
    if (event.name() == "[memory]" && event.deviceType() == at::kPrivateUse1) {
      EXPECT_EQ(event.deviceIndex(), 1);
      most = std::max(most, event.nBytes());
    }
  }
  EXPECT_GE(most, 4 << 20);
}

TEST(Profiler, ScriptModulesAreProfiled) {
  torch::jit::Module module("m");
  module.define("def forward(self, x):\n  return torch.relu(torch.mm(x, x))\n");
  const auto x = at::rand({4, 4}, device());
  const auto result = profile([&] { module.forward({x}); });
  EXPECT_EQ(device_times(*result).count("aten::mm"), 1U);
}

TEST(Profiler, StartsBeforeTheFirstStreamAndStaysUsableAfterAnException) {
  EXPECT_TRUE(throws([] { profile([] { TORCH_CHECK(false, "in between"); }); }, "in between"));
  const auto result = profile([] {});
  const auto again = profile([] { at::ones({2}, device()); });
  EXPECT_EQ(device_times(*again).count("aten::ones"), 1U);
}

TEST(Profiler, AThousandOperatorsAreAThousandEvents) {
  const auto x = at::ones({2}, device());
  const auto result = profile([&] {
    for (int i = 0; i < 1000; ++i) at::neg(x);
  });
  std::size_t count = 0;
  for (const auto& event : result->events()) {
    count += event.name() == "aten::neg" && event.privateuse1ElapsedUs() >= 0 ? 1 : 0;
  }
  EXPECT_EQ(count, 1000U);
}

TEST(Profiler, ATraceForChromeIsWritten) {
  const auto x = at::rand({4, 4}, device());
  const auto result = profile([&] { at::mm(x, x); });
  const std::string file = testing::TempDir() + "openreg_profile.json";
  result->save(file);
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_TRUE(contains(text, "\"traceEvents\""));
  EXPECT_TRUE(contains(text, "\"name\": \"aten::mm\""));
  std::remove(file.c_str());
}

}  // namespace
}  // namespace openreg::test
