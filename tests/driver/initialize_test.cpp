#include <sys/resource.h>

#include "driver_test.h"

namespace openreg::driver {
namespace {

void limit_address_space(std::size_t bytes) {
  const rlimit limit = {bytes, RLIM_INFINITY};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
}

TEST(Initialize, IsNeededBeforeEverythingElse) {
  expect_in_fresh_process([] {
    int number = 42;
    void* block = &number;
    Stream stream = nullptr;
    Event event = nullptr;
    DeviceProperties properties{};
    MemoryInfo info;
    EXPECT_TRUE(fails(device_count(&number), Status::not_initialized, {"device_count", "initialize()"}));
    EXPECT_EQ(device_properties(0, &properties), Status::not_initialized);
    EXPECT_EQ(current_device(&number), Status::not_initialized);
    EXPECT_EQ(set_current_device(0), Status::not_initialized);
    EXPECT_EQ(device_synchronize(0), Status::not_initialized);
    EXPECT_EQ(memory_allocate(0, 1, &block), Status::not_initialized);
    EXPECT_EQ(memory_free(block), Status::not_initialized);
    EXPECT_EQ(memory_discard(block, 1), Status::not_initialized);
    EXPECT_EQ(memory_info(0, &info), Status::not_initialized);
    EXPECT_EQ(host_allocate(1, &block), Status::not_initialized);
    EXPECT_EQ(copy(block, block, 1, CopyKind::host_to_host), Status::not_initialized);
    EXPECT_EQ(fill(block, 0, 1), Status::not_initialized);
    EXPECT_EQ(stream_create(0, 0, &stream), Status::not_initialized);
    EXPECT_EQ(event_create(0, false, &event), Status::not_initialized);
    EXPECT_EQ(number, 42);
    EXPECT_EQ(block, &number);
    EXPECT_EQ(memory_free(nullptr), Status::success);
    EXPECT_EQ(host_free(nullptr), Status::success);
    EXPECT_FALSE(any_work_pending());
    EXPECT_FALSE(on_stream(nullptr));
    PointerAttributes attributes;
    EXPECT_EQ(pointer_attributes(&number, &attributes), Status::success);
    EXPECT_EQ(attributes.kind, MemoryKind::unmanaged);
  });
}

TEST(Initialize, RefusesADeviceCountOutOfRangeAndMayBeRetried) {
  expect_in_fresh_process([] {
    EXPECT_TRUE(fails(initialize({0, 0}), Status::invalid_argument, {"device_count", "0", "[1, 8]"}));
    EXPECT_TRUE(fails(initialize({9, 0}), Status::invalid_argument, {"9"}));
    EXPECT_TRUE(fails(initialize({-1, 0}), Status::invalid_argument));
    // ThreadSanitizer leaves the program less than the 1 TiB of the default size.
    EXPECT_TRUE(succeeds(initialize({8, thread_sanitized ? std::size_t{1} << 30 : 0})));
    int count = 0;
    EXPECT_TRUE(succeeds(device_count(&count)));
    EXPECT_EQ(count, 8);
    void* block = nullptr;
    EXPECT_TRUE(succeeds(memory_allocate(7, 1, &block)));
    EXPECT_TRUE(succeeds(memory_free(block)));
  });
}

TEST(Initialize, FirstSuccessDecides) {
  expect_in_fresh_process([] {
    ASSERT_TRUE(succeeds(initialize({3, std::size_t{1} << 20})));
    EXPECT_TRUE(succeeds(initialize({1, 0})));
    EXPECT_TRUE(succeeds(initialize({99, 0})));
    int count = 0;
    EXPECT_TRUE(succeeds(device_count(&count)));
    EXPECT_EQ(count, 3);
    EXPECT_EQ(properties().memory_capacity, std::size_t{1} << 20);
  });
}

TEST(Initialize, ManyThreadsAtOnceGetOneDriver) {
  expect_in_fresh_process([] {
    std::vector<std::thread> threads;
    std::atomic<int> successes{0};
    for (int i = 1; i <= 8; ++i) {
      threads.emplace_back([&, i] { successes += initialize({i, std::size_t{1} << 30}) == Status::success ? 1 : 0; });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(successes, 8);
  });
}

TEST(Initialize, CapacityBeyondAnyAddressSpaceIsRefused) {
  expect_in_fresh_process([] {
    EXPECT_TRUE(fails(initialize({2, ~std::size_t{0}}), Status::reservation_failed, {"OPENREG_MEMORY_LIMIT"}));
    EXPECT_TRUE(fails(initialize({2, std::size_t{1} << 55}), Status::reservation_failed, {"OPENREG_MEMORY_LIMIT"}));
    EXPECT_TRUE(succeeds(initialize({2, 0})));
  });
}

TEST(Initialize, RefusedReservationNamesSizeLimitAndRemedyAndMayBeRetried) {
  if (sanitized) GTEST_SKIP() << "a sanitizer's own reservations exceed every limit";
  expect_in_fresh_process([] {
    limit_address_space(std::size_t{1} << 30);
    EXPECT_TRUE(fails(initialize({2, 0}), Status::reservation_failed,
                      {"274880004096 bytes", "RLIMIT_AS", "1073741824 bytes",
                       "vm.overcommit_memory: ", "Cannot allocate memory", "OPENREG_MEMORY_LIMIT"}));
    int count = 0;
    EXPECT_EQ(device_count(&count), Status::not_initialized);
    // The remedy that the text names.
    ASSERT_TRUE(succeeds(initialize({2, std::size_t{64} << 20})));
    void* block = nullptr;
    EXPECT_TRUE(succeeds(memory_allocate(1, std::size_t{64} << 20, &block)));
    EXPECT_TRUE(succeeds(memory_free(block)));
  });
}

TEST(Initialize, RefusedPagesAreAnErrorOfTheAllocation) {
  if (sanitized) GTEST_SKIP() << "a sanitizer's own reservations exceed every limit";
  expect_in_fresh_process([] {
    ASSERT_TRUE(succeeds(initialize({})));
    const rlimit limit = {std::size_t{256} << 20, RLIM_INFINITY};
    ASSERT_EQ(setrlimit(RLIMIT_DATA, &limit), 0);
    void* block = nullptr;
    EXPECT_TRUE(fails(memory_allocate(0, std::size_t{1} << 30, &block), Status::reservation_failed,
                      {"memory_allocate", "1073741824 bytes", "ulimit -d"}));
    MemoryInfo info;
    EXPECT_TRUE(succeeds(memory_info(0, &info)));
    EXPECT_EQ(info.free, info.capacity);
    EXPECT_TRUE(succeeds(memory_allocate(0, 1, &block)));
  });
}

}  // namespace
}  // namespace openreg::driver
