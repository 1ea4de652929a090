#include <gtest/gtest.h>
#include <openreg/operators.h>
#include <torch/torch.h>

#include "support/compare.h"
#include "support/errors.h"
#include "support/gradcheck.h"
#include "support/samples.h"
#include "support/script_call.h"

namespace openreg::test {
namespace {

using Tensors = std::vector<at::Tensor>;

std::vector<c10::Device> devices() { return {c10::Device(at::kCPU), device(0), device(1)}; }

at::Tensor doubles(c10::Device where) {
  return at::tensor({-2.5, -1.25, -0.5, 0.25, 0.75, 1.5}, at::kDouble).view({2, 3}).to(where);
}

TEST(CustomGradient, IsThatOfFiniteDifferences) {
  for (const auto where : devices()) {
    SCOPED_TRACE(where.str());
    EXPECT_TRUE(gradcheck([](const Tensors& x) { return custom_softsign(x[0]); }, {doubles(where)}));
    EXPECT_TRUE(gradcheck([](const Tensors& x) { return custom_cube(x[0]); }, {doubles(where)}));
    EXPECT_TRUE(gradcheck([](const Tensors& x) { return custom_cube(x[0].t()).t(); }, {doubles(where)}));
    EXPECT_TRUE(
        gradcheck([](const Tensors& x) { return from_script("openreg.custom_softsign(x)", x[0]); }, {doubles(where)}));
    EXPECT_TRUE(
        gradcheck([](const Tensors& x) { return from_script("openreg.custom_cube(x)", x[0]); }, {doubles(where)}));
  }
}

// Of a sum: the gradient that arrives is expanded from one number.
TEST(CustomGradient, TakesAnExpandedGradient) {
  for (const auto where : devices()) {
    auto x = doubles(where).requires_grad_();
    custom_softsign(x).sum().backward();
    EXPECT_TRUE(close_to((1 + doubles(at::kCPU).abs()).pow(-2), x.grad(), 1e-12));
  }
}

TEST(CustomGradient, OfTheCubeHasAGradient) {
  for (const auto where : devices()) {
    EXPECT_TRUE(gradcheck(
        [](const Tensors& x) {
          const auto leaf = x[0].requires_grad() ? x[0] : x[0].detach().requires_grad_();
          const at::AutoGradMode on(true);
          return torch::autograd::grad({custom_cube(leaf).sum()}, {leaf}, {}, true, /*create_graph=*/true)[0];
        },
        {doubles(where)}));
  }
}

// The reference's pair: the result is the argument, or aliases it; the gradient says that the function ran.
TEST(CustomGradient, IsHalvedByTheFunctionsThatReturnTheirArgument) {
  for (const auto where : devices()) {
    for (const auto function : {&custom_autograd_fn_returns_self, &custom_autograd_fn_aliasing}) {
      auto x = doubles(where).requires_grad_();
      const auto y = function(x);
      EXPECT_TRUE(shares_storage(x, y));
      EXPECT_TRUE(y.requires_grad());
      EXPECT_TRUE(y.grad_fn() != nullptr);
      y.sum().backward();
      EXPECT_TRUE(same_bits(at::full({2, 3}, 0.5, at::kDouble), x.grad()));
    }
    const at::NoGradGuard no_grad;
    const auto x = doubles(where);
    EXPECT_TRUE(shares_storage(x, custom_autograd_fn_returns_self(x)));
    EXPECT_TRUE(shares_storage(x, custom_autograd_fn_aliasing(x)));
  }
}

TEST(CustomGradient, OfAForwardOnlyOperatorIsAClearError) {
  for (const auto where : devices()) {
    SCOPED_TRACE(where.str());
    const auto x = doubles(where).requires_grad_();
    const auto y = custom_abs(x);
    EXPECT_TRUE(same_bits(doubles(at::kCPU).abs(), y));
    EXPECT_TRUE(y.requires_grad());
    EXPECT_TRUE(throws([&] { y.sum().backward(); }, "derivative for openreg::custom_abs is not implemented"));
    EXPECT_FALSE(custom_abs(doubles(where)).requires_grad());
  }
}

// The backward operator is forward only in its turn.
TEST(CustomGradient, OfTheSoftsignHasNone) {
  for (const auto where : devices()) {
    const auto x = doubles(where).requires_grad_();
    const auto first = torch::autograd::grad({custom_softsign(x).sum()}, {x}, {}, true, /*create_graph=*/true)[0];
    EXPECT_TRUE(
        throws([&] { first.sum().backward(); }, "derivative for openreg::custom_softsign_backward is not implemented"));
  }
}

TEST(CustomGradient, SavedTensorsAreGuardedAgainstWrites) {
  for (const auto where : devices()) {
    const auto x = doubles(where).requires_grad_();
    const auto scaled = x * 1;
    const auto y = custom_softsign(scaled).sum() + custom_cube(scaled).sum();
    {
      const at::NoGradGuard no_grad;
      scaled.zero_();
    }
    EXPECT_TRUE(throws([&] { y.backward(); }, "modified by an inplace operation"));
  }
}

TEST(CustomGradient, GraphsCanBeUsedOnceUnlessKept) {
  const auto x = doubles(device()).requires_grad_();
  const auto y = custom_softsign(x).sum();
  y.backward({}, /*retain_graph=*/true);
  y.backward();
  EXPECT_TRUE(throws([&] { y.backward(); }, "Trying to backward through the graph a second time"));
}

}  // namespace
}  // namespace openreg::test
