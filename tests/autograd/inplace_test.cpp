#include <gtest/gtest.h>
#include <torch/torch.h>

#include "autograd/gradients.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

// Changes in place: what autograd sees of them, on bases and on views.
namespace openreg::test {
namespace {

at::Tensor matrix() { return at::arange(12, at::kFloat).view({3, 4}) / 5; }

TEST(InPlace, OnTheWholeAndOnViews) {
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return (t[0] * 2).neg_().add_(t[0]).exp_(); }, {matrix()}));
  EXPECT_TRUE(same_gradients(
      [](const Tensors& t) {
        auto base = t[0] * 1;
        base.select(0, 1).mul_(3);
        base.narrow(1, 1, 2).add_(t[0].narrow(1, 0, 2));
        return base;
      },
      {matrix()}));
  EXPECT_TRUE(same_gradients(
      [](const Tensors& t) {
        auto base = t[0] * 1;
        auto view = base.t();
        base.mul_(t[0]);
        return view + view.sin();  // the view sees what happened to its base
      },
      {matrix()}));
  EXPECT_TRUE(same_gradients(
      [](const Tensors& t) {
        auto base = at::zeros_like(t[0]);
        base.index_put_({at::tensor({0, 2}, at::kLong).to(t[0].device())}, t[0].narrow(0, 0, 2).square());
        base.diagonal().copy_(t[0].select(1, 0));
        return base;
      },
      {matrix()}));
  EXPECT_TRUE(
      same_gradients([](const Tensors& t) { return (t[0] * 1).masked_fill_(t[0] > 1, 7).clamp_(0.2); }, {matrix()}));
}

TEST(InPlace, AViewOfALeafIsRefused) {
  const auto x = at::ones({4}, device()).requires_grad_();
  EXPECT_TRUE(throws([&] { x.add_(1); }, "a leaf Variable that requires grad is being used in an in-place operation"));
  EXPECT_TRUE(throws([&] { x.narrow(0, 0, 2).add_(1); }, "a view of a leaf Variable that requires grad"));
}

TEST(InPlace, WhatBackwardNeedsMayNotChange) {
  const auto x = at::ones({4}, device()).requires_grad_();
  auto y = x * 2;
  const auto z = y.square();
  y.narrow(0, 0, 1).add_(1);
  EXPECT_TRUE(throws([&] { z.sum().backward(); },
                     "one of the variables needed for gradient computation has been modified by an inplace operation"));
}

// Each way in which the device writes counts as a change, just as on the CPU.
TEST(InPlace, VersionsCountAsOnTheCpu) {
  for (const auto& where : {c10::Device(at::kCPU), device()}) {
    auto x = at::ones({4}, where);
    const auto other = at::ones({4}, where);
    const auto index = at::tensor({0}, at::kLong).to(where);
    const std::vector<std::function<void()>> writes{[&] { x.add_(1); },
                                                    [&] { x.copy_(other); },
                                                    [&] { x.zero_(); },
                                                    [&] { x.fill_(2); },
                                                    [&] { x.abs_(); },
                                                    [&] { x.narrow(0, 1, 2).mul_(2); },
                                                    [&] { at::add_out(x, other, other); },
                                                    [&] { at::abs_out(x, other); },
                                                    [&] { x.index_put_({index}, other.narrow(0, 0, 1)); },
                                                    [&] { x.index_copy_(0, index, other.narrow(0, 0, 1)); },
                                                    [&] { at::_foreach_add_({x}, 1); },
                                                    [&] { x.normal_(); },
                                                    [&] { x.copy_(at::ones({4})); }};
    for (std::size_t i = 0; i < writes.size(); ++i) {
      const auto before = x._version();
      writes[i]();
      EXPECT_EQ(x._version(), before + 1) << "write " << i << " on " << where;
    }
    const auto before = x._version();
    static_cast<void>(x + 1);
    static_cast<void>(x.cpu());
    static_cast<void>(x.sum().item<float>());
    EXPECT_EQ(x._version(), before);
    EXPECT_EQ(x.detach()._version(), before);
  }
}

}  // namespace
}  // namespace openreg::test
