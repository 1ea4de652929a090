// What a release libtorch hides from the trace, as docs/trace.md says. A gap that closes fails here and may be removed
// there.
#include <openreg/trace.h>

#include <algorithm>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/dispatch/ObservedOperators.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>
#include <torch/library.h>

namespace trace = openreg::trace;

namespace {

at::Tensor below(c10::DispatchKeySet keys, const at::Tensor& x) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("openreg_gaps_test::layered", "")
                             .typed<at::Tensor(const at::Tensor&)>();
  return op.redispatch(keys & c10::after_autograd_keyset, x);
}

TORCH_LIBRARY(openreg_gaps_test, m) { m.def("layered(Tensor x) -> Tensor"); }
TORCH_LIBRARY_IMPL(openreg_gaps_test, AutogradCPU, m) { m.impl("layered", TORCH_FN(below)); }
TORCH_LIBRARY_IMPL(openreg_gaps_test, CPU, m) {
  m.impl("layered", [](const at::Tensor& x) { return at::mul(x, x); });
}

std::vector<std::string> lines_of(const std::vector<trace::Event>& events) {
  std::vector<std::string> lines;
  std::ranges::transform(events, std::back_inserter(lines), trace::line);
  return lines;
}

}  // namespace

TEST(Gaps, BoxedRedispatchInsideLibtorch) {
  const at::Tensor z = at::complex(at::ones({1}), at::ones({1}));
  const at::Tensor conjugate = z.conj();
  trace::Collector collector;
  at::mul(conjugate, z);
  const auto lines = lines_of(collector.stop());
  ASSERT_GE(lines.size(), 2U);
  EXPECT_EQ(lines[0], " [call] op=[aten::mul.Tensor], key=[AutogradCPU]");
  EXPECT_EQ(lines[1], "  [redispatch] op=[aten::mul.Tensor], key=[Conjugate]");
  for (const auto& event : collector.stop()) {
    EXPECT_NE(event.kind, trace::Kind::redispatch_boxed) << trace::line(event);
    EXPECT_FALSE(event.op == "aten::mul.Tensor" && event.key == c10::DispatchKey::CPU) << trace::line(event);
  }
}

TEST(Gaps, BoxedCallsOfOperatorsThatLibtorchDoesNotObserve) {
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("aten::is_leaf", "");
  ASSERT_FALSE(c10::ObservedOperators::isObserved(op.operator_name()));
  torch::jit::Stack stack{at::ones({1})};
  trace::Collector collector;
  op.callBoxed(&stack);
  for (const auto& event : collector.stop()) {
    EXPECT_NE(event.kind, trace::Kind::call_boxed) << trace::line(event);
  }
}

TEST(Gaps, RedispatchOfOperatorsWithoutAtOps) {
  const at::Tensor x = at::ones({1});
  trace::Collector collector({.operators = {"openreg_gaps_test::*"}});
  c10::Dispatcher::singleton()
      .findSchemaOrThrow("openreg_gaps_test::layered", "")
      .typed<at::Tensor(const at::Tensor&)>()
      .call(x);
  EXPECT_EQ(lines_of(collector.stop()),
            std::vector<std::string>{" [call] op=[openreg_gaps_test::layered], key=[AutogradCPU]"});
}
