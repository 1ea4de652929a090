#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <openreg/stubs.h>
#include <torch/torch.h>

#include "operators.h"
#include "support/alike.h"
#include "support/compare.h"
#include "support/dispatcher.h"
#include "support/errors.h"
#include "support/gradcheck.h"
#include "support/ledger.h"
#include "support/samples.h"
#include "support/script_call.h"

// The files of examples/custom_operator, which docs/operators.md shows.
namespace openreg::test {
namespace {

using Tensors = std::vector<at::Tensor>;

const c10::Device kPlaces[] = {c10::Device(at::kCPU), device(0), device(1)};

at::Tensor line(c10::Device where, at::ScalarType dtype = at::kDouble) {
  return at::linspace(-2, 2, 12, at::kDouble).view({3, 4}).to(dtype).to(where);
}

TEST(Recipes, EachOperatorRunsEverywhere) {
  const std::vector<std::pair<std::string, at::Tensor (*)(const at::Tensor&)>> all{{"swish", &example::swish},
                                                                                   {"soft_abs", &example::soft_abs},
                                                                                   {"ranks", &example::ranks},
                                                                                   {"reversed", &example::reversed}};
  for (const auto& [name, function] : all) {
    SCOPED_TRACE(name);
    const auto expected = function(line(at::kCPU));
    const auto expected_of_view = function(line(at::kCPU).t());
    for (const auto where : kPlaces) {
      EXPECT_EQ(function(line(where)).device(), where);
      EXPECT_TRUE(same_bits(expected, function(line(where))));
      EXPECT_TRUE(same_bits(expected_of_view, function(line(where).t())));
      EXPECT_TRUE(same_bits(expected, from_script("example." + name + "(x)", line(where))));
      const c10::InferenceMode inference;
      EXPECT_TRUE(same_bits(expected, function(line(where))));
    }
  }
}

TEST(Recipes, ForwardOnly) {
  for (const auto where : kPlaces) {
    const auto x = line(where, at::kFloat);
    EXPECT_TRUE(same_bits((line(at::kCPU, at::kFloat) / 0.5).floor(), example::bucket(x, 0.5)));
    EXPECT_TRUE(same_bits((line(at::kCPU, at::kFloat) / 0.5).floor(), from_script("example.bucket(x, 0.5)", x)));
    const auto y = example::bucket(x.requires_grad_(), 0.5);
    EXPECT_TRUE(throws([&] { y.sum().backward(); }, "derivative for example::bucket is not implemented"));
    EXPECT_TRUE(throws([&] { example::bucket(x, 0); }, "width above 0"));
  }
  EXPECT_TRUE(example::bucket(line(at::kMeta, at::kFloat), 0.5).is_meta());
}

TEST(Recipes, ForwardAndBackward) {
  for (const auto where : kPlaces) {
    EXPECT_TRUE(gradcheck([](const Tensors& x) { return example::swish(x[0]); }, {line(where)}));
    const auto x = line(where).requires_grad_();
    const auto first = torch::autograd::grad({example::swish(x).sum()}, {x}, {}, true, true)[0];
    EXPECT_TRUE(throws([&] { first.sum().backward(); }, "derivative for example::swish_backward is not implemented"));
  }
}

TEST(Recipes, AutogradFunction) {
  for (const auto where : kPlaces) {
    EXPECT_TRUE(gradcheck([](const Tensors& x) { return example::soft_abs(x[0]); }, {line(where)}));
    EXPECT_TRUE(gradcheck(
        [](const Tensors& x) {
          const at::AutoGradMode on(true);
          const auto leaf = x[0].requires_grad() ? x[0] : x[0].detach().requires_grad_();
          return torch::autograd::grad({example::soft_abs(leaf).sum()}, {leaf}, {}, true, true)[0];
        },
        {line(where)}));
  }
}

TEST(Recipes, BuiltinOperator) {
  const ExpectNoFallback strict;
  for (const auto dtype : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16, at::kInt}) {
    for (const auto& sample : layouts_of({3, 4}, dtype)) {
      EXPECT_TRUE(same_bits(at::relu(sample.cpu.contiguous()), at::relu(sample.device.contiguous()))) << sample.name;
    }
  }
  EXPECT_TRUE(contains(device_kernel("aten::relu"), "builtin_operator.cpp"));
}

TEST(Recipes, BuiltinOperatorKeepsItsGradient) {
  EXPECT_TRUE(gradcheck([](const Tensors& x) { return at::relu(x[0]); }, {line(device())}));
}

TEST(Recipes, BuiltinStub) {
  for (const auto dtype : {at::kFloat, at::kDouble}) {
    for (const auto& shape : all_shapes()) {
      for (const auto& sample : layouts_of(shape, dtype)) {
        const ExpectNoFallback strict;
        const auto expected = at::angle(sample.cpu.resolve_neg());
        const auto actual = at::angle(sample.device.resolve_neg());
        EXPECT_TRUE(close_to(expected, actual, 0)) << sample.name;  // NaN is NaN: the CPU keeps no sign of it
        EXPECT_EQ(expected.strides(), actual.strides()) << sample.name;
      }
    }
  }
  for (const auto& stub : stub_catalogue()) {
    if (stub.name == "angle_stub") {
      EXPECT_EQ(stub.slot, StubSlot::filled);
      EXPECT_EQ(stub_remark(stub), "");
    }
  }
}

TEST(Recipes, SelectiveFallback) {
  const auto x = line(device());
  const LedgerScope scope;
  FallbackPolicy off;
  off.mode = FallbackMode::off;
  const FallbackPolicyScope policy(off);
  EXPECT_EQ(example::ranks(x).device(), device());
  EXPECT_TRUE(ran_by(scope, "example::ranks", Way::explicit_fallback));
  EXPECT_TRUE(throws([&] { example::reversed(x); }, "example::reversed"));
}

TEST(Recipes, GlobalFallback) {
  const auto x = line(device());
  const LedgerScope scope;
  example::reversed(x);
  EXPECT_TRUE(ran_by(scope, "example::reversed", Way::global_fallback));
  auto forbidding = fallback_policy();
  forbidding.forbid.push_back("example::reversed");
  const FallbackPolicyScope policy(forbidding);
  EXPECT_TRUE(throws([&] { example::reversed(x); }, "example::reversed"));
}

}  // namespace
}  // namespace openreg::test
