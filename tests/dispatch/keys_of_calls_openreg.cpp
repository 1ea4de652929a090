// The test of keys on the device itself.
#include <openreg/trace.h>

#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "keys_of_calls.h"

namespace trace = openreg::trace;

at::Tensor on_device(bool grad) { return at::ones({2, 2}, at::Device("openreg:1")).set_requires_grad(grad); }

namespace {

// Some fallthroughs are registered at the device's first use, and the tables are read once.
class StartTheDevice : public testing::Environment {
  void SetUp() override { on_device(false); }
};
const auto* const device_starter = testing::AddGlobalTestEnvironment(new StartTheDevice);

}  // namespace

// A number of the CPU's among the arguments: it brings keys too, and they lose.
TEST(KeysOfCalls, AreExplainedForADeviceTensorAndACpuNumber) {
  const auto x = on_device(true);
  const auto number = at::ones({}, at::kDouble);
  trace::Collector collector({.operators = {"aten::mul.Tensor"}, .explain = true});
  at::mul(x, number);
  const auto& events = collector.stop();
  ASSERT_GE(events.size(), 2U);
  ASSERT_EQ(events[0].arguments.size(), 2U);
  EXPECT_EQ(events[0].arguments[0].keys, x.key_set());
  EXPECT_EQ(events[0].arguments[1].keys, number.key_set());
  const auto text = trace::explain(events[0]);
  for (const char* part :
       {"AutogradPrivateUse1 is the highest of DispatchKeySet(CPU, PrivateUse1, AutogradCPU, AutogradPrivateUse1)",
        "self brings (PrivateUse1, ADInplaceOrView, AutogradPrivateUse1, AutocastPrivateUse1)",
        "other brings (CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  EXPECT_EQ(events[1].kind, trace::Kind::redispatch);
  EXPECT_EQ(events[1].key, c10::DispatchKey::PrivateUse1);
  EXPECT_EQ(events[1].parent, events[0].id);
}
