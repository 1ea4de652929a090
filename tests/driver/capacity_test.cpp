#include "driver_test.h"

namespace openreg::driver {
namespace {

constexpr std::size_t granule = std::size_t{64} << 10;
constexpr std::size_t capacity = 16 * granule;

TEST(Capacity, ExceedingItNamesDeviceRequestedUsedAndCapacity) {
  expect_in_fresh_process([] {
    ASSERT_TRUE(succeeds(initialize({2, capacity})));
    void* first = nullptr;
    void* second = nullptr;
    ASSERT_TRUE(succeeds(memory_allocate(1, 10 * granule, &first)));
    EXPECT_TRUE(fails(memory_allocate(1, 6 * granule + 1, &second), Status::out_of_memory,
                      {"device 1", std::to_string(6 * granule + 1) + " bytes requested",
                       std::to_string(10 * granule) + " used", "capacity " + std::to_string(capacity)}));
    EXPECT_EQ(second, nullptr);
    EXPECT_TRUE(succeeds(memory_allocate(0, capacity, &second)));
    EXPECT_TRUE(succeeds(memory_free(second)));
    EXPECT_TRUE(succeeds(memory_allocate(1, 6 * granule, &second)));
  });
}

TEST(Capacity, HugeRequestsDoNotOverflow) {
  expect_in_fresh_process([] {
    ASSERT_TRUE(succeeds(initialize({1, capacity})));
    void* block = nullptr;
    EXPECT_EQ(memory_allocate(0, ~std::size_t{0}, &block), Status::out_of_memory);
    EXPECT_EQ(memory_allocate(0, ~std::size_t{0} - granule + 2, &block), Status::out_of_memory);
    EXPECT_EQ(memory_allocate(0, capacity + 1, &block), Status::out_of_memory);
    EXPECT_EQ(memory_allocate(0, capacity, &block), Status::success);
  });
}

TEST(Capacity, IsReachedWithHolesBetweenBlocksToo) {
  expect_in_fresh_process([] {
    ASSERT_TRUE(succeeds(initialize({1, capacity})));
    void* blocks[16] = {};
    for (void*& block : blocks) ASSERT_TRUE(succeeds(memory_allocate(0, granule, &block)));
    for (int i = 0; i < 16; i += 2) ASSERT_TRUE(succeeds(memory_free(blocks[i])));
    // Eight holes of one granule each: the range has room elsewhere.
    void* large = nullptr;
    EXPECT_TRUE(succeeds(memory_allocate(0, 8 * granule, &large)));
    EXPECT_EQ(memory_allocate(0, 1, &blocks[0]), Status::out_of_memory);
  });
}

TEST(Capacity, NeedNotBeWholeGranules) {
  expect_in_fresh_process([] {
    ASSERT_TRUE(succeeds(initialize({1, granule + 10})));
    void* block = nullptr;
    void* more = nullptr;
    EXPECT_TRUE(succeeds(memory_allocate(0, granule, &block)));
    EXPECT_EQ(memory_allocate(0, 1, &more), Status::out_of_memory);
    MemoryInfo info;
    EXPECT_TRUE(succeeds(memory_info(0, &info)));
    EXPECT_EQ(info.capacity, granule + 10);
    EXPECT_EQ(info.free, 10u);
  });
}

TEST(Capacity, SmallOneReservesFewAddresses) {
  expect_in_fresh_process([] {
    ASSERT_TRUE(succeeds(initialize({1, capacity})));
    EXPECT_EQ(properties().memory_capacity, capacity);
    EXPECT_GE(properties().address_bytes, 2 * capacity);
    EXPECT_LE(properties().address_bytes, std::size_t{4} << 20);
  });
}

TEST(Capacity, ThreadsCannotOvercommitIt) {
  expect_in_fresh_process([] {
    ASSERT_TRUE(succeeds(initialize({1, capacity})));
    std::atomic<int> successes{0};
    std::vector<std::thread> threads;
    for (int id = 0; id < 4; ++id) {
      threads.emplace_back([&] {
        for (int i = 0; i < 8; ++i) {
          void* block = nullptr;
          if (memory_allocate(0, granule, &block) == Status::success) ++successes;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(successes, 16);
  });
}

}  // namespace
}  // namespace openreg::driver
