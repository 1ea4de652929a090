#include <c10/core/Allocator.h>
#include <gtest/gtest.h>
#include <openreg/memory.h>
#include <openreg/openreg.h>
#include <torch/torch.h>

#include <set>

#include "device/allocator.h"
#include "device/compat.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

auto& allocator() { return static_cast<openreg::compat::DeviceAllocatorBase&>(openreg::device::allocator()); }

// Each test ends with the memory that it began with.
class Memory : public testing::Test {
 protected:
  void SetUp() override {
    init();
    for (c10::DeviceIndex i = 0; i < 2; ++i) before_[i] = memory_statistics(i).allocated;
  }
  void TearDown() override {
    for (c10::DeviceIndex i = 0; i < 2; ++i) EXPECT_EQ(memory_statistics(i).allocated, before_[i]);
  }

  std::size_t before_[2] = {};
};

TEST_F(Memory, SmallLargeAndShaped) {
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{{100}, {10'000}, {10, 20, 30}}) {
    const auto x = at::zeros(shape, device());
    EXPECT_TRUE(same_bits(at::zeros(shape), x));
  }
}

TEST_F(Memory, AllocateFreeAllocate) {
  auto x = at::full({1000}, 1.0f, device());
  x.reset();
  x = at::full({1000}, 2.0f, device());
  EXPECT_TRUE(same_bits(at::full({1000}, 2.0f), x));
}

TEST_F(Memory, CopiesToAndFro) {
  const auto a = at::rand({50, 20});
  const auto x = a.to(device());
  EXPECT_TRUE(same_bits(a, x.to(at::kCPU)));
  EXPECT_TRUE(same_bits(a, x.clone()));
}

TEST_F(Memory, InPlaceOperatorsKeepTheAddress) {
  auto x = at::full({10}, 2.0f, device());
  const auto* address = x.const_data_ptr();
  x.add_(1).mul_(2);
  EXPECT_EQ(x.const_data_ptr(), address);
  EXPECT_TRUE(same_bits(at::full({10}, 6.0f), x));
}

TEST_F(Memory, ViewsShareTheAddress) {
  const auto x = at::arange(100, at::kFloat).to(device());
  EXPECT_EQ(x.view({10, 10}).const_data_ptr(), x.const_data_ptr());
  EXPECT_TRUE(same_bits(at::arange(10, 20, at::kFloat), x.slice(0, 10, 20)));
}

TEST_F(Memory, EveryDtype) {
  for (const auto dtype : all_dtypes()) {
    const auto a = values({17}, dtype);
    EXPECT_TRUE(same_bits(a, a.to(device()))) << dtype;
  }
}

TEST_F(Memory, ResizingWithinAndBeyondTheStorage) {
  auto x = at::arange(100, at::kFloat).to(device());
  x.resize_({50});
  EXPECT_EQ(x.numel(), 50);
  x.resize_({100});
  EXPECT_TRUE(same_bits(at::arange(100, at::kFloat), x));
  x.resize_({10'000});  // the reference backend never grows one
  EXPECT_TRUE(same_bits(at::arange(100, at::kFloat), x.slice(0, 0, 100)));
}

TEST_F(Memory, MemoryFormats) {
  const auto x = at::empty({2, 3, 4, 4}, at::device(device()), c10::MemoryFormat::ChannelsLast);
  EXPECT_TRUE(x.is_contiguous(c10::MemoryFormat::ChannelsLast));
  EXPECT_FALSE(x.is_contiguous());
  EXPECT_TRUE(x.contiguous().is_contiguous());
}

TEST_F(Memory, TenMegabytesAndMore) {
  const auto x = at::full({20 << 20}, 3, at::device(device()).dtype(at::kByte));
  EXPECT_EQ(x.sum().item<std::int64_t>(), 3 * (20 << 20));
}

TEST_F(Memory, GrowingSizesOneAfterTheOther) {
  for (int i = 1; i <= 10; ++i) {
    const auto x = at::full({i * 1000}, static_cast<float>(i), device());
    EXPECT_EQ(x.sum().item<float>(), static_cast<float>(i * i * 1000));
  }
}

TEST_F(Memory, RequiresGrad) {
  EXPECT_TRUE(at::empty({3}, at::device(device())).requires_grad_().requires_grad());
  EXPECT_TRUE(torch::randn({3}, at::device(device()).requires_grad(true)).requires_grad());
}

TEST_F(Memory, StoragesKnowDeviceAndSize) {
  const auto x = at::empty({100}, device(1));
  EXPECT_EQ(x.storage().device(), device(1));
  EXPECT_EQ(x.storage().nbytes(), 400u);
}

TEST_F(Memory, SimpleAllocationsDoNotLeak) {
  for (int i = 0; i < 1000; ++i) at::empty({100, 100}, device());
}

TEST_F(Memory, VaryingSizesDoNotLeak) {
  for (int i = 0; i < 500; ++i) at::empty({1 + (i % 5) * 1237}, device());
}

TEST_F(Memory, CopiesDoNotLeak) {
  const auto a = at::rand({50, 50});
  for (int i = 0; i < 300; ++i) a.to(device()).clone().cpu();
}

TEST_F(Memory, ViewsDoNotLeak) {
  for (int i = 0; i < 500; ++i) {
    const auto x = at::empty({100, 100}, device());
    x.view({10'000}).slice(0, 0, 100).reshape({10, 10});
  }
}

TEST_F(Memory, InPlaceOperatorsDoNotLeak) {
  auto x = at::ones({100}, device());
  for (int i = 0; i < 500; ++i) x.add_(1).mul_(2).div_(2).sub_(1);
  EXPECT_TRUE(same_bits(at::ones({100}), x));
}

TEST_F(Memory, GraphsThatAreDroppedDoNotLeak) {
  for (int i = 0; i < 300; ++i) {
    const auto x = torch::ones({10, 10}, at::device(device()).requires_grad(true));
    const auto loss = x.mm(x).abs().sum();
    if (i % 2 == 0) loss.backward();
  }
}

TEST_F(Memory, LargeAllocationsAgainAndAgainDoNotGrow) {
  at::empty({50 << 20}, at::device(device()).dtype(at::kByte));
  const auto reserved = memory_statistics(0).reserved;
  for (int i = 0; i < 50; ++i) at::empty({50 << 20}, at::device(device()).dtype(at::kByte));
  EXPECT_EQ(memory_statistics(0).reserved, reserved);
}

TEST_F(Memory, AThousandTensorsAreAllCounted) {
  for (int round = 0; round < 10; ++round) {
    std::vector<at::Tensor> live;
    for (int i = 0; i < 100; ++i) live.push_back(at::empty({256}, device()));
    EXPECT_EQ(memory_statistics(0).allocated, before_[0] + 100 * 1024);
  }
  EXPECT_EQ(memory_statistics(0).allocated, before_[0]);
}

TEST_F(Memory, TheSecondDevice) {
  const auto x = at::full({10}, 4.0f, device(1));
  EXPECT_EQ(x.get_device(), 1);
  EXPECT_GT(memory_statistics(1).allocated, before_[1]);
  EXPECT_EQ(memory_statistics(0).allocated, before_[0]);
}

TEST_F(Memory, DevicesShareNoAddress) {
  std::vector<at::Tensor> live;
  std::set<const void*> addresses;
  for (int i = 0; i < 20; ++i) {
    live.push_back(at::full({100}, static_cast<float>(i), device(i % 2)));
    addresses.insert(live.back().const_data_ptr());
  }
  EXPECT_EQ(addresses.size(), 20u);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(live[static_cast<std::size_t>(i)].get_device(), i % 2);
    EXPECT_TRUE(same_bits(at::full({100}, static_cast<float>(i)), live[static_cast<std::size_t>(i)]));
  }
}

TEST_F(Memory, FromDeviceToDeviceAndBack) {
  const auto a = at::rand({33, 7});
  const auto zero = a.to(device(0));
  const auto one = zero.to(device(1));
  EXPECT_NE(one.const_data_ptr(), zero.const_data_ptr());
  EXPECT_TRUE(same_bits(a, one));
  EXPECT_TRUE(same_bits(a, one.to(device(0))));
}

// 2.14 has c10::DeviceAllocator; our class is the same with 2.6.
TEST_F(Memory, StatisticsOfLibtorchAgreeWithOurs) {
  const auto x = at::empty({1000}, device());
  const auto ours = memory_statistics(0);
  const auto theirs = allocator().getDeviceStats(0);
  EXPECT_EQ(static_cast<std::size_t>(theirs.allocated_bytes[0].current), ours.allocated);
  EXPECT_EQ(static_cast<std::size_t>(theirs.allocated_bytes[0].peak), ours.peak_allocated);
  EXPECT_EQ(static_cast<std::size_t>(theirs.reserved_bytes[0].current), ours.reserved);
  EXPECT_EQ(static_cast<std::uint64_t>(theirs.allocation[0].allocated), ours.allocations);
  EXPECT_EQ(static_cast<std::uint64_t>(theirs.allocation[0].freed), ours.frees);
  EXPECT_EQ(static_cast<std::uint64_t>(theirs.num_device_alloc), ours.driver_allocations);
  EXPECT_TRUE(allocator().initialized());
  EXPECT_EQ(allocator().getMemoryInfo(0).second, memory_info(0).capacity);
}

TEST_F(Memory, ResettingStatisticsOfLibtorch) {
  allocator().resetAccumulatedStats(0);
  at::empty({1000}, device());
  EXPECT_EQ(allocator().getDeviceStats(0).allocation[0].allocated, 1);
  EXPECT_EQ(allocator().getDeviceStats(0).allocation[0].freed, 1);
  const auto ours = memory_statistics(0);
  EXPECT_GT(ours.allocations, 1u);  // since the process began
  at::empty({1 << 20}, device());
  allocator().resetPeakStats(0);
  EXPECT_EQ(static_cast<std::size_t>(allocator().getDeviceStats(0).allocated_bytes[0].peak),
            memory_statistics(0).allocated);
}

// The reference backend indexes a vector with it.
TEST_F(Memory, StatisticsOfNoDeviceAreRefused) {
  EXPECT_TRUE(throws([] { static_cast<void>(allocator().getDeviceStats(9)); }, "openreg:9 does not exist"));
  EXPECT_TRUE(throws([] { allocator().resetPeakStats(9); }, "openreg:9 does not exist"));
  EXPECT_TRUE(throws([] { static_cast<void>(memory_statistics(9)); }, "openreg:9 does not exist"));
  EXPECT_TRUE(throws([] { static_cast<void>(memory_info(9)); }, "openreg:9 does not exist"));
}

TEST_F(Memory, EmptyCacheThroughLibtorch) {
  at::empty({8 << 20}, device());
  const auto before = memory_statistics(0).reserved;
  allocator().emptyCache();
  EXPECT_LE(memory_statistics(0).reserved + (32u << 20), before);
  EXPECT_TRUE(throws([] { allocator().emptyCache({1, 2}); }, "one pool of memory a device"));
}

TEST_F(Memory, TheSummaryHasAColumnADevice) {
  const auto x = at::empty({1000}, device(1));
  const auto table = memory_summary();
  for (const char* part : {"openreg:0", "openreg:1", "allocated", "peak reserved", "capacity", "out of memory"}) {
    EXPECT_TRUE(contains(table, part));
  }
  std::set<std::size_t> lengths;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) lengths.insert(line.size());
  EXPECT_EQ(lengths.size(), 1u) << table;  // aligned
}

class CountingReporter : public c10::MemoryReportingInfoBase {
 public:
  void reportMemoryUsage(void*, std::int64_t change, std::size_t allocated, std::size_t, c10::Device on) override {
    if (on.type() != c10::DeviceType::PrivateUse1) return;
    (change > 0 ? came : went) += change;
    last_allocated = allocated;
  }
  bool memoryProfilingEnabled() const override { return true; }

  std::int64_t came = 0;
  std::int64_t went = 0;
  std::size_t last_allocated = 0;
};

TEST_F(Memory, IsReportedToProfilers) {
  const auto reporter = std::make_shared<CountingReporter>();
  {
    const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, reporter);
    const auto x = at::empty({256}, device());
    EXPECT_EQ(reporter->came, 1024);
    EXPECT_EQ(reporter->last_allocated, before_[0] + 1024);
  }
  EXPECT_EQ(reporter->went, -1024);
}

}  // namespace
}  // namespace openreg::test
