#include "driver_test.h"

namespace openreg::driver {
namespace {

using Pointer = DriverTest;

PointerAttributes attributes_of(const void* address) {
  PointerAttributes result;
  result.device = 99;
  EXPECT_TRUE(succeeds(pointer_attributes(address, &result)));
  return result;
}

void expect_unmanaged(const void* address) {
  const PointerAttributes attributes = attributes_of(address);
  EXPECT_EQ(attributes.kind, MemoryKind::unmanaged);
  EXPECT_EQ(attributes.device, -1);
  EXPECT_EQ(attributes.block, nullptr);
  EXPECT_EQ(attributes.size, 0u);
  EXPECT_EQ(attributes.offset, 0u);
}

TEST_F(Pointer, DeviceBlockResolvesFromStartInteriorAndLastByte) {
  const DeviceBlock block(1000, 1);
  for (const std::size_t distance : {0, 1, 500, 999}) {
    const PointerAttributes attributes = attributes_of(block.at(distance));
    EXPECT_EQ(attributes.kind, MemoryKind::device);
    EXPECT_EQ(attributes.device, 1);
    EXPECT_EQ(attributes.block, block.get());
    EXPECT_EQ(attributes.size, 1000u);
    EXPECT_EQ(attributes.offset, distance);
  }
}

TEST_F(Pointer, EndOfABlockIsNoPartOfIt) {
  const DeviceBlock block(1000);
  expect_unmanaged(block.at(1000));
}

TEST_F(Pointer, HostBlockResolvesToo) {
  void* block = nullptr;
  ASSERT_TRUE(succeeds(host_allocate(1000, &block)));
  const PointerAttributes attributes = attributes_of(offset(block, 10));
  EXPECT_EQ(attributes.kind, MemoryKind::host);
  EXPECT_EQ(attributes.device, -1);
  EXPECT_EQ(attributes.block, block);
  EXPECT_EQ(attributes.size, 1000u);
  EXPECT_EQ(attributes.offset, 10u);
  ASSERT_TRUE(succeeds(host_free(block)));
  expect_unmanaged(block);
}

TEST_F(Pointer, AnythingElseIsUnmanaged) {
  int local = 0;
  expect_unmanaged(&local);
  expect_unmanaged(nullptr);
  void* block = nullptr;
  ASSERT_TRUE(succeeds(memory_allocate(0, 64, &block)));
  expect_unmanaged(host_view(block));
  ASSERT_TRUE(succeeds(memory_free(block)));
  expect_unmanaged(block);
}

TEST_F(Pointer, NullResultIsRefused) {
  int local = 0;
  EXPECT_TRUE(fails(pointer_attributes(&local, nullptr), Status::invalid_argument, {"attributes is null"}));
}

}  // namespace
}  // namespace openreg::driver
