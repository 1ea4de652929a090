#include "driver_test.h"

namespace openreg::driver {
namespace {

constexpr std::size_t kGranule = std::size_t{64} << 10;
constexpr std::size_t kCapacity = 16 * kGranule;

TEST(Capacity, ExceedingItNamesDeviceRequestedUsedAndCapacity) {
  expect_in_fresh_process([] {
    ASSERT_TRUE(succeeds(initialize({2, kCapacity})));
    void* first = nullptr;
    void* second = nullptr;
    ASSERT_TRUE(succeeds(memory_allocate(1, 10 * kGranule, &first)));
    EXPECT_TRUE(fails(memory_allocate(1, 6 * kGranule + 1, &second), Status::out_of_memory,
                      {"device 1", std::to_string(6 * kGranule + 1) + " bytes requested",
                       std::to_string(10 * kGranule) + " used", "capacity " + std::to_string(kCapacity)}));
    EXPECT_EQ(second, nullptr);
    EXPECT_TRUE(succeeds(memory_allocate(0, kCapacity, &second)));
    EXPECT_TRUE(succeeds(memory_free(second)));
    EXPECT_TRUE(succeeds(memory_allocate(1, 6 * kGranule, &second)));
  });
}

TEST(Capacity, HugeRequestsDoNotOverflow) {
  expect_in_fresh_process([] {
    ASSERT_TRUE(succeeds(initialize({1, kCapacity})));
    void* block = nullptr;
    EXPECT_EQ(memory_allocate(0, ~std::size_t{0}, &block), Status::out_of_memory);
    EXPECT_EQ(memory_allocate(0, ~std::size_t{0} - kGranule + 2, &block), Status::out_of_memory);
    EXPECT_EQ(memory_allocate(0, kCapacity + 1, &block), Status::out_of_memory);
    EXPECT_EQ(memory_allocate(0, kCapacity, &block), Status::success);
  });
}

TEST(Capacity, IsReachedWithHolesBetweenBlocksToo) {
  expect_in_fresh_process([] {
    ASSERT_TRUE(succeeds(initialize({1, kCapacity})));
    void* blocks[16] = {};
    for (void*& block : blocks) ASSERT_TRUE(succeeds(memory_allocate(0, kGranule, &block)));
    for (int i = 0; i < 16; i += 2) ASSERT_TRUE(succeeds(memory_free(blocks[i])));
    // Eight holes of one granule each: the range has room elsewhere.
    void* large = nullptr;
    EXPECT_TRUE(succeeds(memory_allocate(0, 8 * kGranule, &large)));
    EXPECT_EQ(memory_allocate(0, 1, &blocks[0]), Status::out_of_memory);
  });
}

TEST(Capacity, NeedNotBeWholeGranules) {
  expect_in_fresh_process([] {
    ASSERT_TRUE(succeeds(initialize({1, kGranule + 10})));
    void* block = nullptr;
    void* more = nullptr;
    EXPECT_TRUE(succeeds(memory_allocate(0, kGranule, &block)));
    EXPECT_EQ(memory_allocate(0, 1, &more), Status::out_of_memory);
    MemoryInfo info;
    EXPECT_TRUE(succeeds(memory_info(0, &info)));
    EXPECT_EQ(info.capacity, kGranule + 10);
    EXPECT_EQ(info.free, 10u);
  });
}

TEST(Capacity, SmallOneReservesFewAddresses) {
  expect_in_fresh_process([] {
    ASSERT_TRUE(succeeds(initialize({1, kCapacity})));
    EXPECT_EQ(properties().memory_capacity, kCapacity);
    EXPECT_GE(properties().address_bytes, 2 * kCapacity);
    EXPECT_LE(properties().address_bytes, std::size_t{4} << 20);
  });
}

TEST(Capacity, ThreadsCannotOvercommitIt) {
  expect_in_fresh_process([] {
    ASSERT_TRUE(succeeds(initialize({1, kCapacity})));
    std::atomic<int> successes{0};
    std::vector<std::thread> threads;
    for (int id = 0; id < 4; ++id) {
      threads.emplace_back([&] {
        for (int i = 0; i < 8; ++i) {
          void* block = nullptr;
          if (memory_allocate(0, kGranule, &block) == Status::success) ++successes;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(successes, 16);
  });
}

}  // namespace
}  // namespace openreg::driver
