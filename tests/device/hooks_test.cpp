#include <ATen/ATen.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <gtest/gtest.h>
#include <openreg/openreg.h>

#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

const at::PrivateUse1HooksInterface& hooks() { return at::detail::getPrivateUse1Hooks(); }

void resize_bytes(const at::Tensor& tensor, std::size_t bytes) {
  hooks().resizePrivateUse1Bytes(tensor.storage(), bytes);
}

TEST(Hooks, AreRegistered) {
  EXPECT_TRUE(at::isPrivateUse1HooksRegistered());
  EXPECT_EQ(hooks().deviceCount(), 2);
  EXPECT_EQ(hooks().getCurrentDevice(), 0);
}

TEST(Hooks, GrowingAStorageKeepsItsBytes) {
  auto x = at::arange(4, at::kFloat).to(device());
  resize_bytes(x, 32);
  EXPECT_EQ(x.storage().nbytes(), 32u);
  EXPECT_TRUE(same_bits(at::arange(4, at::kFloat), x));
  x.resize_({8});
  EXPECT_TRUE(same_bits(at::arange(4, at::kFloat), x.narrow(0, 0, 4)));
}

// Copying more than the new size would write past the end of the new block.
TEST(Hooks, ShrinkingAStorageKeepsTheFirstBytes) {
  auto neighbours = at::zeros({64, 4}, device());
  auto x = at::arange(1000, at::kFloat).to(device());
  resize_bytes(x, 8);
  EXPECT_EQ(x.storage().nbytes(), 8u);
  x.unsafeGetTensorImpl()->set_sizes_contiguous({2});
  EXPECT_TRUE(same_bits(at::arange(2, at::kFloat), x));
  EXPECT_TRUE(same_bits(at::zeros({64, 4}), neighbours));
}

TEST(Hooks, ResizingToZeroAndBack) {
  auto x = at::arange(4, at::kFloat).to(device());
  resize_bytes(x, 0);
  EXPECT_EQ(x.storage().nbytes(), 0u);
  resize_bytes(x, 16);
  x.fill_(2);
  EXPECT_TRUE(same_bits(at::full({4}, 2.0f), x));
}

TEST(Hooks, AStorageThatIsNotResizableIsRefused) {
  auto x = at::ones({4}, device());
  x.storage().unsafeGetStorageImpl()->set_resizable(false);
  EXPECT_TRUE(throws([&] { resize_bytes(x, 64); }, "Trying to resize storage that is not resizable"));
  EXPECT_EQ(x.storage().nbytes(), 16u);
}

TEST(Hooks, ResizingKeepsTheStorageOnItsDevice) {
  auto x = at::ones({4}, device(1));
  resize_bytes(x, 4096);
  EXPECT_EQ(x.storage().device(), device(1));
  EXPECT_EQ(hooks().getDeviceFromPtr(x.mutable_data_ptr()), device(1));
}

TEST(Hooks, DeviceOfAnAddress) {
  auto zero = at::ones({4}, device(0));
  auto one = at::ones({4}, device(1));
  auto host = at::ones({4});
  EXPECT_EQ(hooks().getDeviceFromPtr(zero.data_ptr()), device(0));
  EXPECT_EQ(hooks().getDeviceFromPtr(one.data_ptr()), device(1));
  EXPECT_TRUE(throws([&] { static_cast<void>(hooks().getDeviceFromPtr(host.data_ptr())); },
                     "is not in the memory of an openreg device"));
}

TEST(Hooks, ExchangeDeviceChecks) {
  EXPECT_EQ(hooks().exchangeDevice(1), 0);
  EXPECT_EQ(hooks().maybeExchangeDevice(-1), 1);
  EXPECT_TRUE(throws([] { static_cast<void>(hooks().exchangeDevice(4)); }, "openreg:4 does not exist"));
  EXPECT_EQ(current_device(), 1);
  EXPECT_EQ(hooks().exchangeDevice(0), 1);
}

}  // namespace
}  // namespace openreg::test
