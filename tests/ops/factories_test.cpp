#include <ATen/ops/empty_ops.h>
#include <ATen/ops/empty_strided_ops.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "support/alike.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

constexpr c10::DispatchKeySet kOurKey(c10::DispatchKey::PrivateUse1);

// What the dispatcher's own checks keep away is handed to our kernel directly.
at::Tensor our_empty(at::TensorOptions options) {
  return at::_ops::empty_memory_format::redispatch(
      kOurKey, c10::fromIntArrayRefSlow({2}), at::optTypeMetaToScalarType(options.dtype_opt()), options.layout_opt(),
      options.device_opt(), options.pinned_memory_opt(), std::nullopt);
}

at::Tensor our_empty_strided(at::TensorOptions options) {
  return at::_ops::empty_strided::redispatch(kOurKey, c10::fromIntArrayRefSlow({2}), c10::fromIntArrayRefSlow({1}),
                                             at::optTypeMetaToScalarType(options.dtype_opt()), options.layout_opt(),
                                             options.device_opt(), options.pinned_memory_opt());
}

using Factory = at::Tensor (*)(at::TensorOptions);
class Factories : public testing::TestWithParam<Factory> {};

TEST_P(Factories, TakeOurDeviceOnly) {
  EXPECT_TRUE(throws([] { GetParam()(at::device(at::kCPU)); }, "Expected an openreg device, but got cpu."));
  EXPECT_TRUE(throws([] { GetParam()({}); }, "Expected an openreg device, but got cpu."));
}

TEST_P(Factories, TakeStridedLayoutsOnly) {
  for (const auto layout : {at::kSparse, at::kSparseCsr, at::kMkldnn}) {
    EXPECT_TRUE(throws([&] { GetParam()(at::device(device()).layout(layout)); }, "Non strided layout not supported"));
  }
}

TEST_P(Factories, DoNotPin) {
  EXPECT_TRUE(throws([] { GetParam()(at::device(device()).pinned_memory(true)); }, "Pin memory can only be on CPU"));
}

TEST_P(Factories, CheckTheIndex) {
  EXPECT_TRUE(throws([] { GetParam()(at::device(device(4))); }, "openreg:4 does not exist: there are 2 devices"));
}

TEST_P(Factories, MakeWhatIsAskedFor) {
  for (const auto dtype : all_dtypes()) {
    const auto x = GetParam()(at::device(device(1)).dtype(dtype));
    EXPECT_EQ(x.device(), device(1));
    EXPECT_EQ(x.scalar_type(), dtype);
    EXPECT_EQ(x.sizes(), c10::IntArrayRef({2}));
  }
}

INSTANTIATE_TEST_SUITE_P(Both, Factories, testing::Values(&our_empty, &our_empty_strided));

TEST(Factory, MemoryFormatsAndSizesAreTheCpus) {
  for (const auto format : {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast, at::MemoryFormat::Preserve}) {
    for (const auto& shape : all_shapes()) {
      const auto made = [&](c10::Device where) { return at::empty(shape, at::device(where), format).fill_(1); };
      EXPECT_TRUE(alike([&] { return made(at::kCPU); }, [&] { return made(device()); })) << shape;
    }
  }
}

TEST(Factory, StridesAreThoseThatAreAskedFor) {
  using Sizes = std::vector<std::int64_t>;
  const std::vector<std::pair<Sizes, Sizes>> cases{{{2, 3}, {3, 1}}, {{2, 3}, {1, 2}},       {{2, 3}, {10, 2}},
                                                   {{4}, {0}},       {{2, 0, 3}, {7, 5, 1}}, {{}, {}}};
  for (const auto& [sizes, strides] : cases) {
    const auto expected = at::empty_strided(sizes, strides);
    const auto actual = at::empty_strided(sizes, strides, device());
    EXPECT_EQ(actual.sizes(), expected.sizes());
    EXPECT_EQ(actual.strides(), c10::IntArrayRef(strides));
    EXPECT_EQ(actual.storage().nbytes(), expected.storage().nbytes());
  }
}

TEST(Factory, NegativeSizesAndBadStridesFailAsOnTheCpu) {
  const auto both = [](const std::function<void(c10::Device)>& make) {
    return throw_alike([&] { make(at::kCPU); }, [&] { make(device()); });
  };
  EXPECT_TRUE(both([](c10::Device where) { at::empty({-1}, where); }));
  EXPECT_TRUE(both([](c10::Device where) { at::empty_strided({2, -3}, {1, 1}, where); }));
  EXPECT_TRUE(both([](c10::Device where) { at::empty_strided({2, 3}, {1}, where); }));
  EXPECT_TRUE(both([](c10::Device where) { at::empty_strided({2, 3}, {1, -1}, where); }));
}

TEST(Factory, SparseTensorsEndInAMessageThatSaysWhatToDo) {
  for (const auto layout : {at::kSparse, at::kSparseCsr}) {
    const auto error = error_of([&] { at::empty({2, 2}, at::device(device()).layout(layout)); });
    EXPECT_TRUE(contains(error, "is not implemented for sparse tensors on device openreg"));
    EXPECT_TRUE(contains(error, "Use sparse tensors on the CPU"));
  }
  EXPECT_TRUE(throws([] { at::eye(3).to_sparse().to(device()); }, "for sparse tensors on device openreg"));
}

TEST(Factory, UninitialisedMemoryIsFilledWhenAskedFor) {
  at::globalContext().setDeterministicAlgorithms(true, false);
  const auto x = at::empty({3}, device());
  const auto y = at::empty_strided({3}, {1}, at::device(device()).dtype(at::kLong));
  at::globalContext().setDeterministicAlgorithms(false, false);
  EXPECT_TRUE(x.isnan().all().item<bool>());
  EXPECT_TRUE(same_bits(at::full({3}, std::numeric_limits<std::int64_t>::max(), at::kLong), y));
}

}  // namespace
}  // namespace openreg::test
