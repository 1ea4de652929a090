#include <cstring>
#include <limits>

#include "driver_test.h"

namespace openreg::driver {
namespace {

using HostMemory = DriverTest;

TEST_F(HostMemory, IsOrdinaryMemory) {
  void* block = nullptr;
  ASSERT_TRUE(succeeds(host_allocate(5000, &block)));
  std::memset(block, 3, 5000);
  EXPECT_TRUE(holds_only(block, 5000, 3));
  EXPECT_TRUE(succeeds(host_free(block)));
}

TEST_F(HostMemory, BadArgumentsAreRefused) {
  int anything = 0;
  void* block = &anything;
  EXPECT_TRUE(fails(host_allocate(1, nullptr), Status::invalid_argument, {"host_allocate", "block is null"}));
  EXPECT_TRUE(fails(host_allocate(0, &block), Status::invalid_argument, {"bytes is 0"}));
  EXPECT_EQ(block, &anything);
}

TEST_F(HostMemory, ImpossibleSizeIsRefused) {
  void* block = nullptr;
  const std::size_t largest = std::numeric_limits<std::size_t>::max();
  EXPECT_TRUE(fails(host_allocate(largest, &block), Status::reservation_failed, {std::to_string(largest)}));
  EXPECT_EQ(block, nullptr);
}

TEST_F(HostMemory, FreeingNullDoesNothing) { EXPECT_TRUE(succeeds(host_free(nullptr))); }

TEST_F(HostMemory, DoubleAndInteriorFreesAreRefused) {
  void* block = nullptr;
  ASSERT_TRUE(succeeds(host_allocate(777, &block)));
  EXPECT_TRUE(fails(host_free(offset(block, 7)), Status::invalid_argument, {"7 bytes inside", "777 bytes"}));
  ASSERT_TRUE(succeeds(host_free(block)));
  EXPECT_TRUE(fails(host_free(block), Status::invalid_argument, {hex(block), "no live block"}));
}

TEST_F(HostMemory, TheTwoKindsOfBlocksAreNotMixedUp) {
  void* host = nullptr;
  ASSERT_TRUE(succeeds(host_allocate(64, &host)));
  const DeviceBlock device(64);
  EXPECT_EQ(memory_free(host), Status::invalid_argument);
  EXPECT_EQ(host_free(device.get()), Status::invalid_argument);
  EXPECT_TRUE(succeeds(host_free(host)));
}

}  // namespace
}  // namespace openreg::driver
