#include <ATen/DLConvertor.h>
#include <gtest/gtest.h>
#include <openreg/openreg.h>
#include <torch/torch.h>

#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

at::Tensor round_trip(const at::Tensor& tensor) { return at::fromDLPack(at::toDLPack(tensor)); }

// Same device, address and values; strides as those of a CPU tensor after the same trip, where libtorch writes 1 for
// dimensions that have none.
testing::AssertionResult is_the_same(const at::Tensor& tensor, const at::Tensor& back) {
  const auto on_cpu =
      round_trip(at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options().device(at::kCPU)));
  if (back.device() != tensor.device()) return testing::AssertionFailure() << "device is " << back.device();
  if (back.const_data_ptr() != tensor.const_data_ptr()) return testing::AssertionFailure() << "another address";
  if (back.strides() != on_cpu.strides()) return testing::AssertionFailure() << "strides are " << back.strides();
  return same_bits(tensor, back);
}

TEST(DLPack, KeepsDeviceAddressAndValues) {
  const auto x = at::rand({3, 4}).to(device());
  EXPECT_TRUE(is_the_same(x, round_trip(x)));
}

TEST(DLPack, SaysThatItIsAnExtensionDevice) {
  const auto x = at::rand({3}).to(device(1));
  auto* managed = at::toDLPack(x);
  EXPECT_EQ(managed->dl_tensor.device.device_type, kDLExtDev);
  EXPECT_EQ(managed->dl_tensor.device.device_id, 1);
  managed->deleter(managed);
}

TEST(DLPack, AllShapes) {
  for (const auto& shape : all_shapes()) {
    const auto x = at::rand(shape).to(device());
    EXPECT_TRUE(is_the_same(x, round_trip(x))) << c10::IntArrayRef(shape);
  }
}

// Skipped upstream, since there abs knows float only.
TEST(DLPack, AllDtypes) {
  for (const auto dtype : {at::kByte, at::kChar, at::kShort, at::kInt, at::kLong, at::kHalf, at::kBFloat16, at::kFloat,
                           at::kDouble, at::kBool, at::kComplexFloat, at::kComplexDouble}) {
    const auto x = at::ones({5}, dtype).to(device());
    EXPECT_TRUE(is_the_same(x, round_trip(x))) << dtype;
  }
}

TEST(DLPack, BothDevices) {
  for (int i = 0; i < 2; ++i) {
    const auto x = at::rand({3, 4}).to(device(i));
    EXPECT_TRUE(is_the_same(x, round_trip(x)));
  }
}

TEST(DLPack, NonContiguous) {
  const auto x = at::rand({3, 4}).to(device());
  EXPECT_TRUE(is_the_same(x.t(), round_trip(x.t())));
  EXPECT_TRUE(is_the_same(x.slice(1, 1, 4, 2), round_trip(x.slice(1, 1, 4, 2))));
}

TEST(DLPack, KeepsTheMemoryAlive) {
  auto x = at::full({100}, 7.0f, device());
  const auto back = round_trip(x);
  x.reset();
  const auto other = at::zeros({100}, device());
  EXPECT_TRUE(same_bits(at::full({100}, 7.0f), back));
}

at::Tensor blob_over(const at::Tensor& x, c10::Device on) {
  return at::from_blob(x.mutable_data_ptr(), x.sizes(), at::TensorOptions(x.dtype()).device(on));
}

TEST(FromBlob, OfADeviceAddressSharesIt) {
  auto x = at::zeros({4, 5}, device(1));
  auto blob = blob_over(x, device(1));
  EXPECT_EQ(blob.device(), device(1));
  EXPECT_EQ(blob.const_data_ptr(), x.const_data_ptr());
  blob.fill_(3);
  EXPECT_TRUE(same_bits(at::full({4, 5}, 3.0f), x));
  EXPECT_EQ(blob.view({20}).const_data_ptr(), x.const_data_ptr());
}

TEST(FromBlob, FindsTheDeviceByTheAddress) {
  auto x = at::ones({3}, device(1));
  EXPECT_EQ(blob_over(x, c10::Device("openreg")).device(), device(1));
  EXPECT_TRUE(throws([&] { blob_over(x, device(0)); }, "openreg:0"));
}

TEST(FromBlob, OfAnAddressInsideABlockWorks) {
  auto x = at::arange(10, at::kFloat).to(device());
  const auto tail = at::from_blob(x.narrow(0, 4, 6).mutable_data_ptr(), {6}, at::device(c10::Device("openreg")));
  EXPECT_TRUE(same_bits(at::arange(4, 10, at::kFloat), tail));
}

TEST(FromBlob, OfAHostAddressIsRefused) {
  float host[4] = {};
  EXPECT_TRUE(throws([&] { at::from_blob(host, {4}, at::device(c10::Device("openreg"))); },
                     "is not in the memory of an openreg device: make the tensor on the CPU and move it"));
}

TEST(FromBlob, CallsItsDeleterOnce) {
  int calls = 0;
  auto x = at::zeros({3}, device());
  {
    const auto blob = at::from_blob(
        x.mutable_data_ptr(), {3}, [&calls](void*) { ++calls; }, at::device(c10::Device("openreg")));
    EXPECT_TRUE(same_bits(at::ones({3}), blob + 1));
  }
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace openreg::test
