#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <openreg/memory.h>
#include <openreg/openreg.h>

#include <atomic>
#include <thread>

#include "device/allocator.h"
#include "device/readable.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

TEST(Allocator, GivesMemoryOfTheCurrentDevice) {
  const c10::DeviceGuard guard(device(1));
  const auto data = openreg::device::allocator().allocate(100);
  EXPECT_EQ(data.device(), device(1));
  EXPECT_NE(data.get(), nullptr);
  EXPECT_EQ(data.get(), data.get_context());  // raw_allocate and copy-on-write need it
}

TEST(Allocator, IsTheOneThatLibtorchAsks) {
  EXPECT_EQ(c10::GetAllocator(c10::DeviceType::PrivateUse1), &openreg::device::allocator());
}

TEST(Allocator, ZeroBytesAreANullPointerOfTheDevice) {
  const auto data = openreg::device::allocator().allocate(0);
  EXPECT_EQ(data.get(), nullptr);
  EXPECT_EQ(data.device(), device(0));
}

TEST(Allocator, RawAllocateAndDeallocatePair) {
  init();
  const auto before = memory_statistics(0).allocated;
  void* address = openreg::device::allocator().raw_allocate(1000);
  EXPECT_GE(memory_statistics(0).allocated, before + 1000);
  openreg::device::allocator().raw_deallocate(address);
  EXPECT_EQ(memory_statistics(0).allocated, before);
}

TEST(Allocator, CopyDataCopiesDeviceBytes) {
  const auto from = at::arange(16, at::kFloat).to(device());
  auto to = at::zeros({16}, device());
  openreg::device::allocator().copy_data(to.mutable_data_ptr(), from.const_data_ptr(), 8 * sizeof(float));
  EXPECT_TRUE(same_bits(at::cat({at::arange(8, at::kFloat), at::zeros({8})}), to));
}

TEST(Allocator, CloneKeepsValuesAndSharesNothing) {
  const auto x = at::arange(1000, at::kInt).to(device());
  auto y = x.clone();
  y.fill_(0);
  EXPECT_TRUE(same_bits(at::arange(1000, at::kInt), x));
}

TEST(Allocator, ReusesAFreedBlockWithoutTheDriver) {
  auto first = at::empty({1 << 18}, device());
  const auto* address = first.const_data_ptr();
  first.reset();
  const auto before = memory_statistics(0);
  const auto second = at::empty({1 << 18}, device());
  EXPECT_EQ(second.const_data_ptr(), address);
  EXPECT_EQ(memory_statistics(0).driver_allocations, before.driver_allocations);
  EXPECT_EQ(memory_statistics(0).allocations, before.allocations + 1);
}

TEST(Allocator, StatisticsReturnToWhereTheyWere) {
  init();
  const auto before = memory_statistics(0);
  {
    std::vector<at::Tensor> tensors;
    for (std::int64_t n = 1; n < 100'000; n = n * 3 + 1) {
      tensors.push_back(at::ones({n}, device()));
      tensors.push_back(tensors.back().abs() + 1);
    }
    EXPECT_GT(memory_statistics(0).allocated, before.allocated);
  }
  const auto after = memory_statistics(0);
  EXPECT_EQ(after.allocated, before.allocated);
  EXPECT_EQ(after.allocations - before.allocations, after.frees - before.frees);
  EXPECT_GT(after.peak_allocated, before.allocated);
  reset_peak_memory(0);
  EXPECT_EQ(memory_statistics(0).peak_allocated, after.allocated);
}

TEST(Allocator, EmptyCacheGivesBackWhatIsIdleAndKeepsWhatLives) {
  const auto kept = at::full({1 << 20}, 3.0f, device());
  at::ones({1 << 22}, device());
  const auto before = memory_statistics(0);
  empty_cache();
  const auto after = memory_statistics(0);
  EXPECT_LE(after.reserved + (16u << 20), before.reserved);
  EXPECT_GE(after.reserved, after.allocated);
  EXPECT_TRUE(same_bits(at::full({1 << 20}, 3.0f), kept));
}

TEST(Allocator, MoreThanAnyDeviceHoldsIsOutOfMemoryWithBothNumbers) {
  init();
  const auto before = memory_statistics(0).out_of_memory;
  for (const int power : {42, 47, 50, 61}) {
    try {
      at::empty({std::int64_t{1} << power}, at::device(device()).dtype(at::kByte));
      ADD_FAILURE() << "2^" << power << " bytes were given";
    } catch (const c10::OutOfMemoryError& error) {
      const std::string text = error.what_without_backtrace();
      EXPECT_TRUE(contains(text, "openreg:0 is out of memory: "));
      EXPECT_TRUE(contains(text, openreg::device::readable_bytes(std::size_t{1} << power) + " requested"));
      EXPECT_TRUE(contains(text, "free of "));
      EXPECT_TRUE(contains(text, std::to_string(std::size_t{1} << power) + " bytes is larger than the device"));
    }
  }
  EXPECT_EQ(memory_statistics(0).out_of_memory, before + 4);
}

TEST(Allocator, CountsEachDeviceApart) {
  init();
  const auto zero = memory_statistics(0).allocations;
  const auto one = memory_statistics(1).allocations;
  const auto x = at::empty({10}, device(1));
  EXPECT_EQ(memory_statistics(0).allocations, zero);
  EXPECT_EQ(memory_statistics(1).allocations, one + 1);
}

TEST(Allocator, EightThreadsGetBlocksOfTheirOwn) {
  init();
  const auto before = memory_statistics(0);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([t, &wrong] {
      std::vector<at::Tensor> live;
      for (int i = 0; i < 300; ++i) {
        live.push_back(at::full({(i * 37) % 700 + 1}, t * 1000 + i, at::device(device()).dtype(at::kInt)));
        if (live.size() > 20) {
          live.erase(live.begin() + i % 20);
        }
        const auto& one = live[static_cast<std::size_t>(i * 7) % live.size()];
        const auto host = one.cpu();
        wrong += !host.eq(host[0]).all().item<bool>() || host[0].item<int>() / 1000 != t ? 1 : 0;
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(memory_statistics(0).allocated, before.allocated);
}

}  // namespace
}  // namespace openreg::test
