// The key of each [call] of 300 operators against the one that the test works out itself.
#include <openreg/trace.h>

#include <functional>
#include <tuple>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include "expected_keys.h"
#include "keys_of_calls.h"
#include "sampled_operators.h"

namespace trace = openreg::trace;

namespace {

/// What an operator is called with: one value for each type of parameter. The values need not make sense to the kernel,
/// since a call is reported before its kernel runs.
struct Values {
  at::Tensor tensor;
  at::Tensor other;
  std::vector<at::Tensor> list;
  std::optional<at::Tensor> optional;
  c10::List<std::optional<at::Tensor>> optional_list;
  at::Scalar scalar = 1;
  std::optional<at::Scalar> optional_scalar = at::Scalar(1);
  std::vector<at::Scalar> scalars{1};
  std::vector<std::int64_t> ints{0};
  std::vector<c10::SymInt> sym_ints{1};
  at::ITensorListRef list_ref;

  explicit Values(const at::Tensor& first, const at::Tensor& second)
      : tensor(first), other(second), list{first, second}, optional(second), optional_list({first}), list_ref(list) {}
};

template <typename T>
struct Pick;
#define OPENREG_PICK(type, expression)                                  \
  template <>                                                           \
  struct Pick<type> {                                                   \
    static type from([[maybe_unused]] Values& v) { return expression; } \
  }
OPENREG_PICK(const at::Tensor&, v.tensor);
OPENREG_PICK(at::Tensor&, v.other);
OPENREG_PICK(const std::optional<at::Tensor>&, v.optional);
OPENREG_PICK(const c10::List<std::optional<at::Tensor>>&, v.optional_list);
OPENREG_PICK(at::TensorList, v.list);
OPENREG_PICK(const at::ITensorListRef&, v.list_ref);
OPENREG_PICK(const at::Scalar&, v.scalar);
OPENREG_PICK(const std::optional<at::Scalar>&, v.optional_scalar);
OPENREG_PICK(at::ArrayRef<at::Scalar>, v.scalars);
OPENREG_PICK(at::IntArrayRef, v.ints);
OPENREG_PICK(c10::SymIntArrayRef, v.sym_ints);
OPENREG_PICK(at::OptionalIntArrayRef, at::OptionalIntArrayRef(v.ints));
OPENREG_PICK(c10::SymInt, 1);
OPENREG_PICK(std::optional<c10::SymInt>, 1);
OPENREG_PICK(std::int64_t, 0);
OPENREG_PICK(std::optional<std::int64_t>, 0);
OPENREG_PICK(bool, false);
OPENREG_PICK(std::optional<bool>, std::nullopt);
OPENREG_PICK(double, 0.5);
OPENREG_PICK(std::optional<double>, 0.5);
OPENREG_PICK(c10::string_view, "none");
OPENREG_PICK(at::ScalarType, at::kFloat);
OPENREG_PICK(std::optional<at::ScalarType>, std::nullopt);
OPENREG_PICK(at::Device, at::Device(at::kCPU));
OPENREG_PICK(std::optional<at::Device>, std::nullopt);
OPENREG_PICK(std::optional<at::Layout>, std::nullopt);
OPENREG_PICK(std::optional<at::MemoryFormat>, std::nullopt);
OPENREG_PICK(std::optional<at::Generator>, at::detail::getDefaultCPUGenerator());
#undef OPENREG_PICK

using Keys = c10::DispatchKeySet;
Keys keys(const at::Tensor& value) { return value.key_set(); }
Keys keys(const std::optional<at::Tensor>& value) { return value ? value->key_set() : Keys(); }
Keys keys(const std::optional<at::Generator>& value) { return value ? value->key_set() : Keys(); }
Keys keys(at::TensorList values) {
  Keys all;
  for (const at::Tensor& value : values) {
    all = all | value.key_set();
  }
  return all;
}
Keys keys(const at::ITensorListRef& values) {
  Keys all;
  for (const at::Tensor& value : values) {
    all = all | value.key_set();
  }
  return all;
}
Keys keys(const c10::List<std::optional<at::Tensor>>& values) {
  Keys all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    all = all | keys(values.get(i));
  }
  return all;
}
template <typename T>
Keys keys(const T& /*value*/) {
  return {};
}

template <typename Op, typename R, typename... A>
void check_call(R (* /*schema*/)(A...), Values& values) {
  std::tuple<A...> arguments{Pick<A>::from(values)...};
  const Keys brought = std::apply([](const auto&... argument) { return (Keys() | ... | keys(argument)); }, arguments);
  const c10::OperatorName name(Op::name, Op::overload_name);
  const Keys expected = expected_keys(name, brought);

  trace::Collector collector({.limit = 1, .this_thread_only = true});
  try {
    std::apply([](A&... argument) { Op::call(static_cast<A>(argument)...); }, arguments);
  } catch (const std::exception&) {
    // The kernel did not like the values.
  }
  const auto& events = collector.stop();
  ASSERT_EQ(events.size(), 1U) << name;
  EXPECT_EQ(events[0].kind, trace::Kind::call) << name;
  EXPECT_EQ(events[0].op, c10::toString(name));
  EXPECT_EQ(events[0].keys, expected) << name << ": " << c10::toString(events[0].keys) << " is not "
                                      << c10::toString(expected);
  EXPECT_EQ(events[0].key, expected.highestPriorityTypeId()) << name;
}

// The values are odd on purpose; what kernels think of them is not of interest.
c10::WarningHandler* silent() {
  class Silent final : public c10::WarningHandler {
    void process(const c10::Warning& /*warning*/) override {}
  };
  static Silent handler;
  return &handler;
}

void check_all(const std::function<Values()>& make) {
  int checked = 0;
  const c10::WarningUtils::WarningHandlerGuard quiet(silent());
#define OPENREG_CHECK(op)                                                \
  {                                                                      \
    Values values = make();                                              \
    check_call<at::_ops::op>(at::_ops::op::ptr_schema(nullptr), values); \
    ++checked;                                                           \
  }
  OPENREG_SAMPLED_OPERATORS(OPENREG_CHECK)
#undef OPENREG_CHECK
  EXPECT_EQ(checked, 300);
}

Values cpu(bool grad) {
  return Values(at::ones({2, 2}, at::TensorOptions().requires_grad(false)).set_requires_grad(grad), at::ones({2, 2}));
}

Values on_openreg(bool grad) { return Values(on_device(grad), on_device(false)); }

}  // namespace

TEST(KeysOfCalls, OnCpu) {
  check_all([] { return cpu(false); });
}
TEST(KeysOfCalls, OnCpuWithGrad) {
  check_all([] { return cpu(true); });
}
TEST(KeysOfCalls, OnCpuInInferenceMode) {
  const Values outside = cpu(false);
  const c10::InferenceMode mode;
  check_all([] { return cpu(false); });
  check_all([&] { return Values(outside.tensor, at::ones({2, 2})); });
}
TEST(KeysOfCalls, OnCpuUnderAutocast) {
  at::autocast::set_autocast_enabled(at::kCPU, true);
  check_all([] { return cpu(true); });
  at::autocast::set_autocast_enabled(at::kCPU, false);
  at::autocast::clear_cache();
}
TEST(KeysOfCalls, OnOpenreg) {
  check_all([] { return on_openreg(false); });
}
TEST(KeysOfCalls, OnOpenregWithGrad) {
  check_all([] { return on_openreg(true); });
}
TEST(KeysOfCalls, OnOpenregInInferenceMode) {
  const c10::InferenceMode mode;
  check_all([] { return on_openreg(false); });
}
TEST(KeysOfCalls, OnOpenregUnderAutocast) {
  at::autocast::set_autocast_enabled(at::kPrivateUse1, true);
  check_all([] { return on_openreg(true); });
  at::autocast::set_autocast_enabled(at::kPrivateUse1, false);
}
TEST(KeysOfCalls, OnBothAtOnce) {
  check_all([] { return Values(cpu(true).tensor, on_device(false)); });
}
