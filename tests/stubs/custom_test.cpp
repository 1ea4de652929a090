#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <openreg/operators.h>
#include <torch/script.h>
#include <torch/torch.h>

#include "support/alike.h"
#include "support/compare.h"
#include "support/dispatcher.h"
#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"
#include "support/script_call.h"

namespace openreg::test {
namespace {

struct Operator {
  const char* name;
  at::Tensor (*call)(const at::Tensor&);
  at::Tensor (*expected)(const at::Tensor&);
  bool native;  // has a kernel of its own for the device
};

const std::vector<Operator>& operators() {
  static const std::vector<Operator> all{
      {"custom_abs", &custom_abs, [](const at::Tensor& x) { return x.abs(); }, true},
      {"custom_softsign", &custom_softsign, [](const at::Tensor& x) { return x / (1 + x.abs()); }, true},
      {"custom_cube", &custom_cube, [](const at::Tensor& x) { return x * x * x; }, true},
      {"custom_autograd_fn_returns_self", &custom_autograd_fn_returns_self, [](const at::Tensor& x) { return x; },
       false},
      {"custom_autograd_fn_aliasing", &custom_autograd_fn_aliasing, [](const at::Tensor& x) { return x; }, false},
  };
  return all;
}

// Every operator, by every caller below, on every device.
class CustomOperator : public testing::TestWithParam<Operator> {
 protected:
  static std::vector<at::Tensor> inputs(c10::Device where) {
    const auto x = at::linspace(-3, 3, 24).view({2, 3, 4});
    std::vector<at::Tensor> all;
    for (const auto dtype : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16}) {
      const auto base = x.to(dtype).to(where);
      all.insert(all.end(),
                 {base, base.transpose(0, 2), base.slice(2, 1, 4, 2), base.select(0, 1).select(0, 1).select(0, 2),
                  base.narrow(0, 0, 0), base.narrow(0, 1, 1).expand({2, 3, 4})});
    }
    return all;
  }

  static void check(const std::function<at::Tensor(const at::Tensor&)>& call) {
    for (const auto where : {c10::Device(at::kCPU), device(0), device(1)}) {
      for (const auto& input : inputs(where)) {
        const auto output = call(input);
        EXPECT_EQ(output.device(), where);
        const auto half = c10::elementSize(input.scalar_type()) < 4;
        EXPECT_TRUE(close_to(GetParam().expected(input.cpu()), output, half ? 1e-2 : 1e-6)) << where << input.sizes();
      }
    }
  }
};

TEST_P(CustomOperator, ComputesOnEveryDevice) { check(GetParam().call); }

TEST_P(CustomOperator, ComputesUnderInferenceMode) {
  const c10::InferenceMode inference;
  check(GetParam().call);
}

TEST_P(CustomOperator, ComputesFromTorchScript) {
  auto module = module_that_calls(std::string("openreg.") + GetParam().name + "(x)");
  check([&](const at::Tensor& x) { return module.forward({x}).toTensor(); });
  const c10::InferenceMode inference;
  check([&](const at::Tensor& x) { return module.forward({x}).toTensor(); });
}

TEST_P(CustomOperator, ComputesWithGradientsOn) {
  check([](const at::Tensor& x) { return GetParam().call(x.detach().requires_grad_()).detach(); });
}

TEST_P(CustomOperator, HasAMetaKernel) {
  const auto x = at::empty({2, 3}, at::device(at::kMeta).dtype(at::kHalf));
  const auto y = GetParam().call(x);
  EXPECT_TRUE(y.is_meta());
  EXPECT_EQ(y.sizes(), x.sizes());
  EXPECT_EQ(y.scalar_type(), at::kHalf);
}

TEST_P(CustomOperator, RunsItsOwnKernelOnTheDevice) {
  const auto x = at::ones({3}, device());
  const LedgerScope scope;
  const ExpectNoFallback strict;
  GetParam().call(x);
  EXPECT_EQ(scope.calls(std::string("openreg::") + GetParam().name, Way::native), GetParam().native ? 1u : 0u);
}

TEST_P(CustomOperator, IsKnownToTheDispatcher) {
  const auto op = find_operator(std::string("openreg::") + GetParam().name);
  EXPECT_TRUE(op.hasKernelForDispatchKey(c10::DispatchKey::Autograd));
  EXPECT_NO_THROW(op.checkInvariants());
  EXPECT_TRUE(contains(device_kernel(std::string("openreg::") + GetParam().name), "custom_table.cpp"));
}

INSTANTIATE_TEST_SUITE_P(All, CustomOperator, testing::ValuesIn(operators()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(CustomErrors, NameOperatorAndDtype) {
  for (const auto where : {c10::Device(at::kCPU), device()}) {
    const auto integers = at::ones({2}, at::device(where).dtype(at::kLong));
    EXPECT_TRUE(throws([&] { custom_softsign(integers); }, "\"custom_softsign\" not implemented for 'Long'"));
    EXPECT_TRUE(throws([&] { custom_cube(integers); }, "\"custom_cube\" not implemented for 'Long'"));
    EXPECT_TRUE(throws([&] { custom_softsign_backward(at::ones({3}, where), at::ones({2}, where)); },
                       "expected a gradient like the input, Float[2], but got Float[3]"));
  }
}

TEST(CustomErrors, NameBothDevices) {
  const auto both = [](c10::Device gradient, c10::Device input) {
    return throws(
        [&] { custom_softsign_backward(at::ones({2}, gradient), at::ones({2}, input)); },
        "custom_softsign_backward: Expected all tensors to be on the same device, but found at least two devices, " +
            gradient.str() + " and " + input.str() + "!");
  };
  EXPECT_TRUE(both(device(1), at::kCPU));
  EXPECT_TRUE(both(at::kCPU, device(1)));
  EXPECT_TRUE(both(device(0), device(1)));
}

// The program's own additions to the namespace.
TEST(CustomNamespace, TakesFragmentsOfOthers) {
  auto fragment = torch::Library(torch::Library::FRAGMENT, "openreg", std::nullopt, __FILE__, __LINE__);
  fragment.def("test_double(Tensor x) -> Tensor", [](const at::Tensor& x) { return x + x; });
  const auto x = at::ones({2}, device());
  EXPECT_TRUE(same_on_device(at::full({2}, 2.f), from_script("openreg.test_double(x)", x)));
}

}  // namespace
}  // namespace openreg::test
