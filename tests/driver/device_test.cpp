#include "driver_test.h"

namespace openreg::driver {
namespace {

using Device = DriverTest;

int current() {
  int device = -1;
  EXPECT_TRUE(succeeds(current_device(&device)));
  return device;
}

TEST_F(Device, CountIsTwoByDefault) {
  int count = 0;
  ASSERT_TRUE(succeeds(device_count(&count)));
  EXPECT_EQ(count, 2);
}

TEST_F(Device, NullResultsAreRefused) {
  EXPECT_TRUE(fails(device_count(nullptr), Status::invalid_argument, {"device_count", "count is null"}));
  EXPECT_TRUE(fails(current_device(nullptr), Status::invalid_argument, {"current_device", "device is null"}));
  EXPECT_TRUE(fails(device_properties(0, nullptr), Status::invalid_argument, {"properties is null"}));
}

TEST_F(Device, CurrentCanBeSetToEach) {
  EXPECT_EQ(current(), 0);
  ASSERT_TRUE(succeeds(set_current_device(1)));
  EXPECT_EQ(current(), 1);
  ASSERT_TRUE(succeeds(set_current_device(0)));
  EXPECT_EQ(current(), 0);
}

TEST_F(Device, SettingOneOutOfRangeChangesNothing) {
  ASSERT_TRUE(succeeds(set_current_device(1)));
  EXPECT_TRUE(fails(set_current_device(-1), Status::invalid_device, {"device -1", "[0, 2)"}));
  EXPECT_TRUE(fails(set_current_device(2), Status::invalid_device, {"device 2", "[0, 2)"}));
  EXPECT_EQ(current(), 1);
}

TEST_F(Device, CurrentIsPerThreadAndZeroAtFirst) {
  ASSERT_TRUE(succeeds(set_current_device(1)));
  int other = -1;
  std::thread([&] {
    other = current();
    EXPECT_TRUE(succeeds(set_current_device(0)));
  }).join();
  EXPECT_EQ(other, 0);
  EXPECT_EQ(current(), 1);
}

TEST_F(Device, PropertiesDescribeTheAddressRanges) {
  const DeviceProperties first = properties(0);
  const DeviceProperties second = properties(1);
  EXPECT_NE(std::string(first.name), "");
  EXPECT_TRUE(first.host_addressable);
  EXPECT_EQ(first.host_distance, second.host_distance);
  EXPECT_NE(first.host_distance, 0);
  EXPECT_GE(first.address_bytes, first.memory_capacity);
  EXPECT_EQ(first.address_base % first.allocation_granularity, 0u);
  EXPECT_GE(second.address_base, first.address_base + first.address_bytes);
  EXPECT_LT(first.greatest_priority, first.least_priority);
  EXPECT_LE(first.greatest_priority, 0);
  EXPECT_GE(first.least_priority, 0);
}

TEST_F(Device, PropertiesOfADeviceOutOfRangeAreRefusedAndUntouched) {
  DeviceProperties result{};
  result.memory_capacity = 7;
  EXPECT_TRUE(fails(device_properties(2, &result), Status::invalid_device, {"device_properties", "device 2"}));
  EXPECT_TRUE(fails(device_properties(-1, &result), Status::invalid_device));
  EXPECT_EQ(result.memory_capacity, 7u);
}

}  // namespace
}  // namespace openreg::driver
