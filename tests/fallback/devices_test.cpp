#include <ATen/ATen.h>
#include <ATen/core/op_registration/adaption.h>
#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <openreg/random.h>

#include "support/compare.h"
#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

constexpr const char* kSameDevice = "Expected all tensors to be on the same device";

at::Tensor on_device(c10::IntArrayRef shape, int index = 0) { return at::ones(shape, device(index)); }

TEST(Devices, ACpuTensorAmongDeviceTensorsIsRefused) {
  const std::function<void()> calls[] = {
      [] {
        at::mm(on_device({2, 2}), at::ones({2, 2}));
      },
      [] {
        at::mm(at::ones({2, 2}), on_device({2, 2}));
      },
      [] {
        at::cat({on_device({2}), at::ones({2})});
      },
      [] {
        at::cat({at::ones({2}), on_device({2})});
      },
      [] {
        at::bmm(on_device({1, 2, 2}), at::ones({1, 2, 2}));
      },
      [] {
        at::conv2d(on_device({1, 1, 4, 4}), at::ones({1, 1, 3, 3}));
      },
      [] {
        at::conv2d(on_device({1, 1, 4, 4}), on_device({1, 1, 3, 3}), at::ones({1}));
      },
      [] { at::add(on_device({3}), at::ones({3})); },
      [] { at::ones({3}).add_(on_device({3})); },
      [] { at::where(on_device({3}).gt(0), on_device({3}), at::ones({3})); },
      [] {
        at::native_layer_norm(on_device({2, 3}), {3}, at::ones({3}), std::nullopt, 1e-5);
      },
      [] {
        at::embedding(on_device({4, 2}), at::ones({2}, at::kLong));
      },
  };
  for (const auto& call : calls) {
    EXPECT_TRUE(throws(call, kSameDevice));
    EXPECT_TRUE(throws(call, "openreg:0"));
    EXPECT_TRUE(throws(call, "cpu"));
  }
}

TEST(Devices, FusedCellsAndAttentionTakeOneDevice) {
  const auto cell = [](c10::Device where) {
    const auto gates = on_device({2, 12});
    at::_thnn_fused_lstm_cell(gates, gates, at::ones({2, 3}, where));
  };
  const auto attention = [](c10::Device where) {
    const auto query = on_device({1, 2, 4, 8});
    at::scaled_dot_product_attention(query, query, at::ones({1, 2, 4, 8}, where));
  };
  cell(device(0));
  attention(device(0));
  for (const auto other : {device(1), c10::Device(at::kCPU)}) {
    EXPECT_TRUE(throws([&] { cell(other); }, kSameDevice));
    EXPECT_TRUE(throws([&] { attention(other); }, other.str().c_str()));
  }
}

TEST(Devices, AGeneratorOfTheDeviceDrawsForNoCpuTensor) {
  const auto generator = make_generator(1);
  const auto chances = at::full({3}, 0.5f);
  const char* text = "expected a generator of cpu, where the tensor lies, but got one of openreg";
  EXPECT_TRUE(throws([&] { at::multinomial(chances, 2, false, generator); }, text));
  EXPECT_TRUE(throws([&] { at::normal(chances, 1.0, generator); }, text));
  EXPECT_TRUE(throws([&] { at::zeros({3}).uniform_(0, 1, generator); }, text));
  EXPECT_EQ(at::multinomial(chances.to(device(1)), 2, false, generator).device(), device(1));
}

TEST(Devices, TheTextIsC10s) {
  const auto left = on_device({2, 2});
  const auto right = at::ones({2, 2});
  const auto of_c10 = error_of([&] { c10::impl::common_device_check_failure(device(0), right, "aten::mm", "mat2"); });
  EXPECT_TRUE(contains(of_c10, kSameDevice));
  EXPECT_EQ(error_of([&] { at::mm(left, right); }), of_c10);
}

TEST(Devices, TwoDevicesAreRefused) {
  const auto error = error_of([] { at::add(on_device({2}, 0), on_device({2}, 1)); });
  EXPECT_TRUE(contains(error, kSameDevice));
  EXPECT_TRUE(contains(error, "openreg:0"));
  EXPECT_TRUE(contains(error, "openreg:1"));
  EXPECT_TRUE(throws([] { at::cat({on_device({2}, 1), on_device({2}, 0)}); }, kSameDevice));
}

TEST(Devices, NothingRanWhenTheyWereRefused) {
  auto x = on_device({3});
  EXPECT_TRUE(throws([&] { x.add_(at::ones({3})); }, kSameDevice));
  EXPECT_TRUE(same_bits(at::ones({3}), x));
  auto cpu = at::ones({3});
  EXPECT_FALSE(error_of([&] { at::add_out(cpu, x, x); }).empty());
  EXPECT_TRUE(same_bits(at::ones({3}), cpu));
}

TEST(Devices, ACpuTensorWithoutDimensionsIsTakenAsANumber) {
  const auto x = at::arange(3, at::kFloat).to(device(1));
  const auto two = at::scalar_tensor(2.0);
  for (const auto& result : {x + two, two + x, x * 2, at::where(x.ge(0), x + 2, two)}) {
    EXPECT_EQ(result.device(), device(1));
  }
  EXPECT_TRUE(same_on_device(at::arange(2, 5, at::kFloat), x + two));
  EXPECT_TRUE(same_on_device(at::arange(2, 5, at::kFloat), two + x));
  EXPECT_TRUE(same_on_device(at::tensor({2.f, 1.f, 2.f}), at::where(x.eq(1), x, two)));
  EXPECT_TRUE(same_on_device(at::tensor({0.f, 2.f, 2.f}), at::where(x.gt(0), two, x)));
}

// Only the result type tells a wrapped number from a 0-dim tensor.
TEST(Devices, WrappedNumbersDoNotPromote) {
  const auto half = at::ones({2}, at::device(device()).dtype(at::kHalf));
  EXPECT_EQ((half + 1.5).scalar_type(), at::kHalf);
  EXPECT_EQ((at::ones({2}, at::device(device()).dtype(at::kInt)) * 2.5).scalar_type(), at::kFloat);
}

TEST(Devices, ACpuScalarMayNotBeWritten) {
  auto scalar = at::scalar_tensor(1.0f);
  EXPECT_FALSE(error_of([&] { scalar.add_(on_device({})); }).empty());
  EXPECT_FALSE(error_of([&] { at::add_out(scalar, on_device({}), on_device({})); }).empty());
  EXPECT_EQ(scalar.item<float>(), 1);
}

TEST(Devices, IndicesMayLieOnTheCpu) {
  const auto x = at::arange(20, at::kFloat).view({4, 5});
  const auto dx = x.to(device());
  const auto index = at::tensor({2, 0}, at::kLong);
  EXPECT_TRUE(same_on_device(x.index({index}), dx.index({index})));
  auto written = dx.clone();
  written.index_put_({index}, at::zeros({2, 5}, device()));
  EXPECT_EQ(written.select(0, 0).abs().sum().item<float>(), 0);
  EXPECT_EQ(at::tensor_split(dx, at::tensor({1, 2}, at::kLong)).size(), 3u);
}

TEST(Devices, FillTakesItsValueFromAnyDevice) {
  const auto three = at::scalar_tensor(3.0f);
  EXPECT_TRUE(same_bits(at::full({2}, 3.0f), at::ones({2}).fill_(three.to(device()))));
  EXPECT_TRUE(same_on_device(at::full({2}, 3.0f), on_device({2}, 0).fill_(three.to(device(1)))));
  EXPECT_TRUE(same_on_device(at::full({2}, 3.0f), on_device({2}).fill_(three)));
  EXPECT_TRUE(throws([] { at::ones({2}).fill_(on_device({2})); }, kSameDevice));
}

TEST(Devices, TheLearningRateOfAFusedOptimizerMayLieOnTheCpu) {
  const auto step = [](c10::Device where) {
    std::vector<at::Tensor> parameter{at::ones({4}, where)}, gradient{at::ones({4}, where)};
    std::vector<at::Tensor> average{at::zeros({4}, where)}, square{at::zeros({4}, where)}, count{at::ones({}, where)};
    at::_fused_adam_(parameter, gradient, average, square, {}, count, at::full({1}, 0.1), 0.9, 0.99, 0, 1e-8, false,
                     false);
    return parameter[0];
  };
  EXPECT_TRUE(same_on_device(step(at::kCPU), step(device())));
}

TEST(Devices, TheCurrentDeviceDoesNotMatter) {
  const c10::DeviceGuard guard(device(1));
  const auto x = on_device({2}, 0);
  EXPECT_EQ((x + x).device(), device(0));
  EXPECT_EQ(at::nonzero(x).device(), device(0));
}

}  // namespace
}  // namespace openreg::test
