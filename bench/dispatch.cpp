#include "dispatch.h"

#include <ATen/Functions.h>

#include "cases.h"
#include "inputs.h"
#include "openreg/fallback.h"

namespace openreg::bench {
namespace {

using Scope = std::function<std::shared_ptr<void>()>;

void add_dispatch_case(const char* name, void (*op)(const at::Tensor&), Scope scope = nullptr) {
  Case one{name, [op](bool on_device) { return [op, a = random({1}, on_device)] { op(a); }; },
           "Dispatch: one element, by way"};
  one.scope = std::move(scope);
  one.openreg_alone = true;
  cases().push_back(std::move(one));
}

std::shared_ptr<void> count() { return std::make_shared<LedgerScope>(); }

std::shared_ptr<void> without_table() {
  auto policy = fallback_policy();
  policy.forwarded = false;
  return std::make_shared<FallbackPolicyScope>(policy);
}

void add(const at::Tensor& a) { static_cast<void>(at::add(a, a)); }

}  // namespace

void add_dispatch_cases() {
  add_dispatch_case("native: view", [](const at::Tensor& a) { static_cast<void>(a.view({1, 1})); });
  add_dispatch_case("stub: abs", [](const at::Tensor& a) { static_cast<void>(at::abs(a)); });
  add_dispatch_case("forwarded: add", &add);
  add_dispatch_case("forwarded: add, ledger on", &add, &count);
  add_dispatch_case("forwarded: add, table off", &add, &without_table);
  add_dispatch_case("selective: sub", [](const at::Tensor& a) { static_cast<void>(at::sub(a, a)); });
  add_dispatch_case("explicit: atan2", [](const at::Tensor& a) { static_cast<void>(at::atan2(a, a)); });
  add_dispatch_case(
      "explicit: atan2, ledger on", [](const at::Tensor& a) { static_cast<void>(at::atan2(a, a)); }, &count);
  add_dispatch_case("global: hardtanh", [](const at::Tensor& a) { static_cast<void>(at::hardtanh(a)); });
  add_dispatch_case("composite: linear", [](const at::Tensor& a) { static_cast<void>(at::linear(a, a.view({1, 1}))); });
}

}  // namespace openreg::bench
