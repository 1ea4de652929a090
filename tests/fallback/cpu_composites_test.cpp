#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <openreg/fallback.h>

#include "support/compare.h"
#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"

// Operators whose usual leaf for a backend is one that no CPU kernel serves. Forward and backward must be the CPU's.
namespace openreg::test {
namespace {

using Tensors = std::vector<at::Tensor>;
using Function = at::Tensor (*)(const Tensors&);

// The result and the gradients of all inputs.
Tensors run(Function function, const Tensors& inputs, c10::Device where) {
  Tensors leaves;
  for (const auto& input : inputs) {
    leaves.push_back(input.to(where).detach().requires_grad_());
  }
  const auto result = function(leaves);
  result.square().sum().backward();
  Tensors all{result.detach()};
  for (const auto& leaf : leaves) all.push_back(leaf.grad());
  return all;
}

void expect_alike(Function function, const Tensors& inputs, double tolerance = 0) {
  const auto expected = run(function, inputs, at::kCPU);
  const auto actual = run(function, inputs, device());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(actual[i].device(), device()) << i;
    EXPECT_TRUE(tolerance == 0 ? same_bits(expected[i], actual[i]) : close_to(expected[i], actual[i], tolerance)) << i;
  }
}

struct CpuComposites : testing::Test {
  CpuComposites() { at::manual_seed(1); }
};

TEST_F(CpuComposites, Convolution) {
  const LedgerScope scope;
  expect_alike([](const Tensors& t) { return at::conv2d(t[0], t[1], t[2], 2, 1); },
               {at::randn({2, 3, 8, 8}), at::randn({4, 3, 3, 3}), at::randn({4})});
  EXPECT_TRUE(ran_by(scope, "aten::convolution", Way::forwarded));
  EXPECT_TRUE(ran_by(scope, "aten::convolution_backward", Way::explicit_fallback));
}

TEST_F(CpuComposites, AddrInPlaceNeverResizes) {
  const auto add = [](at::IntArrayRef shape, c10::Device where) {
    auto self = at::zeros(shape, where);
    const auto error = error_of([&] { self.addr_(at::ones({3}, where), at::ones({4}, where)); });
    EXPECT_EQ(self.sizes(), shape);
    return error;
  };
  for (const at::IntArrayRef shape : {at::IntArrayRef({4}), at::IntArrayRef({1, 4}), at::IntArrayRef({3, 4})}) {
    EXPECT_EQ(add(shape, at::kCPU), add(shape, device()));
  }
  EXPECT_EQ(add({3, 4}, device()), "");
  expect_alike([](const Tensors& t) { return t[0].clone().addr_(t[1], t[2], 2, 3); },
               {at::randn({3, 4}), at::randn({3}), at::randn({4})});
}

TEST_F(CpuComposites, ConvolutionDepthwiseDilatedTransposed) {
  expect_alike(
      [](const Tensors& t) {
        return at::conv2d(t[0], t[1], {}, 1, at::IntArrayRef({0, 0}), 1, 4);
      },
      {at::randn({1, 4, 6, 6}), at::randn({4, 1, 3, 3})});
  expect_alike(
      [](const Tensors& t) {
        return at::conv2d(t[0], t[1], {}, 1, at::IntArrayRef({0, 0}), 2);
      },
      {at::randn({1, 2, 9, 9}), at::randn({3, 2, 3, 3})});
  expect_alike([](const Tensors& t) { return at::conv_transpose2d(t[0], t[1], t[2], 2); },
               {at::randn({1, 2, 5, 5}), at::randn({2, 3, 2, 2}), at::randn({3})});
}

TEST_F(CpuComposites, ConvolutionInOneAndThreeDimensions) {
  expect_alike([](const Tensors& t) { return at::conv1d(t[0], t[1]); }, {at::randn({2, 3, 9}), at::randn({4, 3, 3})});
  expect_alike([](const Tensors& t) { return at::conv3d(t[0], t[1]); },
               {at::randn({1, 2, 5, 5, 5}), at::randn({3, 2, 3, 3, 3})});
}

TEST_F(CpuComposites, MaskedGradientsAreUndefinedAndTheOthersTheCpus) {
  const auto x = at::randn({1, 2, 5, 5});
  const auto w = at::randn({3, 2, 3, 3});
  const auto gradients = [&](c10::Device where) {
    const auto [of_x, of_w, of_bias] =
        at::convolution_backward(at::ones({1, 3, 3, 3}, where), x.to(where), w.to(where), at::OptionalIntArrayRef({3}),
                                 {1, 1}, {0, 0}, {1, 1}, false, {0, 0}, 1, {true, false, true});
    EXPECT_FALSE(of_w.defined());
    return std::pair(of_x, of_bias);
  };
  const auto expected = gradients(at::kCPU);
  const auto actual = gradients(device());
  EXPECT_TRUE(same_on_device(expected.first, actual.first));
  EXPECT_TRUE(same_on_device(expected.second, actual.second));
}

TEST_F(CpuComposites, LstmAndGruCells) {
  const LedgerScope scope;
  expect_alike(
      [](const Tensors& t) {
        const auto [h, c] = at::lstm_cell(t[0], {t[1], t[2]}, t[3], t[4], t[5], t[6]);
        return h + c;
      },
      {at::randn({2, 3}), at::randn({2, 4}), at::randn({2, 4}), at::randn({16, 3}), at::randn({16, 4}), at::randn({16}),
       at::randn({16})},
      1e-5);
  expect_alike(
      [](const Tensors& t) { return at::gru_cell(t[0], t[1], t[2], t[3], t[4], t[5]); },
      {at::randn({2, 3}), at::randn({2, 4}), at::randn({12, 3}), at::randn({12, 4}), at::randn({12}), at::randn({12})},
      1e-5);
  EXPECT_TRUE(ran_by(scope, "aten::_thnn_fused_lstm_cell", Way::native));
  EXPECT_TRUE(ran_by(scope, "aten::_thnn_fused_gru_cell", Way::native));
}

TEST_F(CpuComposites, Attention) {
  const Tensors inputs{at::randn({1, 2, 6, 8}), at::randn({1, 2, 6, 8}), at::randn({1, 2, 6, 8})};
  expect_alike([](const Tensors& t) { return at::scaled_dot_product_attention(t[0], t[1], t[2]); }, inputs, 1e-5);
  expect_alike([](const Tensors& t) { return at::scaled_dot_product_attention(t[0], t[1], t[2], {}, 0, true); }, inputs,
               1e-5);
}

}  // namespace
}  // namespace openreg::test
