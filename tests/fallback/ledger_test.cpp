#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <openreg/fallback.h>

#include <algorithm>
#include <thread>

#include "fallback/host_session.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

TEST(Ledger, CountsNothingWhileItIsOff) {
  EXPECT_FALSE(ledger_on());
  reset_ledger();
  const auto x = at::ones({2}, device());
  x + x;
  EXPECT_TRUE(ledger().empty());
  EXPECT_EQ(ledger_table(ledger()), "No operator ran on openreg.\n");
}

TEST(Ledger, CountsEachOperatorByOverloadAndWay) {
  const auto x = at::ones({2}, device());
  const LedgerScope scope;
  for (int i = 0; i < 3; ++i) x + x;
  x.clone().add_(x);
  at::atan2(x, x);
  at::hardtanh(x);
  x.abs();
  EXPECT_EQ(scope.calls("aten::add.Tensor"), 3u);
  EXPECT_EQ(scope.calls("aten::add.Tensor", Way::forwarded), 3u);
  EXPECT_EQ(scope.calls("aten::add.Tensor", Way::native), 0u);
  EXPECT_EQ(scope.calls("aten::add_.Tensor"), 1u);
  EXPECT_EQ(scope.calls("aten::atan2", Way::explicit_fallback), 1u);
  EXPECT_EQ(scope.calls("aten::hardtanh", Way::global_fallback), 1u);
  EXPECT_EQ(scope.calls("aten::abs.out", Way::stub), 1u);
  EXPECT_EQ(scope.calls("aten::_copy_from", Way::native), 1u);
}

TEST(Ledger, TellsTimeAndSaysWhyItFellBack) {
  const auto x = at::ones({200, 200}, device());
  const LedgerScope scope;
  at::mm(x, x);
  x.abs();
  for (const auto& entry : scope.entries()) {
    EXPECT_GT(entry.nanoseconds, 0u) << entry.op;
    EXPECT_EQ(entry.cause.empty(), !is_fallback(entry.way)) << entry.op;
  }
}

TEST(Ledger, ScopesCountTheirOwnTimeOnly) {
  const auto x = at::ones({2}, device());
  const LedgerScope outer;
  x + x;
  {
    const LedgerScope inner;
    x + x;
    EXPECT_EQ(inner.calls("aten::add.Tensor"), 1u);
  }
  EXPECT_TRUE(ledger_on());  // the outer scope goes on
  EXPECT_EQ(outer.calls("aten::add.Tensor"), 2u);
}

TEST(Ledger, AScopeLeavesTheSwitchAsItWas) {
  { const LedgerScope scope; }
  EXPECT_FALSE(ledger_on());
  set_ledger(true);
  { const LedgerScope scope; }
  EXPECT_TRUE(ledger_on());
  set_ledger(false);
}

TEST(Ledger, ResetForgets) {
  set_ledger(true);
  at::ones({2}, device()).exp();
  set_ledger(false);
  EXPECT_FALSE(ledger().empty());
  reset_ledger();
  EXPECT_TRUE(ledger().empty());
}

TEST(Ledger, ResetInsideAScopeDoesNotWrapTheCounts) {
  const auto x = at::ones({2}, device());
  set_ledger(true);
  for (int i = 0; i < 5; ++i) x.exp();
  set_ledger(false);
  const LedgerScope scope;
  reset_ledger();
  x.exp();
  EXPECT_EQ(scope.calls("aten::exp"), 1u);
}

TEST(Ledger, OrdersByCallsThenByName) {
  const auto x = at::ones({2}, device());
  const LedgerScope scope;
  for (int i = 0; i < 3; ++i) x.exp();
  x.sin();
  x.cos();
  const auto entries = scope.entries();
  EXPECT_EQ(entries.front().op, "aten::exp");
  EXPECT_TRUE(std::is_sorted(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.calls != b.calls ? a.calls > b.calls : a.op < b.op;
  }));
}

TEST(Ledger, TableAndJsonNameEveryOperator) {
  const LedgerScope scope;
  at::ones({2}, device()).exp();
  const auto table = ledger_table(scope.entries());
  for (const char* part : {"operator", "way", "calls", "bytes copied", "aten::exp", "forwarded"}) {
    EXPECT_TRUE(contains(table, part));
  }
  const auto json = ledger_json(scope.entries());
  EXPECT_TRUE(contains(json, "{\"op\": \"aten::exp\", \"way\": \"forwarded\", \"calls\": 1,"));
}

TEST(Ledger, CountsAllThreads) {
  const auto x = at::ones({2}, device());
  const LedgerScope scope;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) x.exp();
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(scope.calls("aten::exp"), 400u);
}

TEST(Ledger, NamesTheOperatorsThatACompositeEndsIn) {
  const auto x = at::randn({4, 6}, device());
  const auto ran = [&](const std::function<void()>& composite, const char* leaf) {
    const LedgerScope scope;
    composite();
    return scope.calls(leaf) == 1;
  };
  EXPECT_TRUE(ran([&] { at::linear(x, x); }, "aten::mm"));
  EXPECT_TRUE(ran([&] { at::layer_norm(x, {6}); }, "aten::native_layer_norm"));
  EXPECT_TRUE(ran([&] { at::softmax(x, 1); }, "aten::_softmax"));
  EXPECT_TRUE(ran([&] { at::gelu(x); }, "aten::gelu"));
}

TEST(Ledger, ShowsThatALoopOfFillsAndReadsCopiesOnlyTheScalars) {
  if (fallback::host_access() == fallback::HostAccess::staged) return;  // copies, by design
  auto x = at::empty({1 << 16}, device());
  const LedgerScope scope;
  for (int i = 0; i < 1000; ++i) {
    x.fill_(i);
    EXPECT_EQ(x.max().item<float>(), i);
  }
  EXPECT_TRUE(ran_by(scope, "aten::_local_scalar_dense", Way::native));
  EXPECT_EQ(scope.calls("aten::_copy_from"), 0u);
  EXPECT_EQ(scope.calls("aten::_local_scalar_dense"), 1000u);
  for (const auto& entry : scope.entries()) {
    EXPECT_EQ(entry.bytes, 0u) << entry.op;
  }
}

// Forward and backward go through outputs that grow, gathers and reductions: with nothing but fallbacks.
TEST(Ledger, AccountsForEveryOperatorOfANetwork) {
  const auto run = [](c10::Device where) {
    const auto table = at::arange(20, at::kFloat).view({5, 4}).sin().to(where).requires_grad_();
    const auto ids = at::tensor({1, 3, 1}, at::kLong).to(where);
    const auto rows = at::embedding(table, ids);
    const auto picked = rows.gather(1, at::tensor({0, 3, 2}, at::kLong).to(where).view({3, 1}));
    (rows.amax(1) + rows.logsumexp(1) + picked.view({3})).sum().backward();
    return table.grad();
  };
  const LedgerScope scope;
  EXPECT_TRUE(close_to(run(at::kCPU), run(device()), 1e-6));
  EXPECT_EQ(scope.calls("aten::embedding_dense_backward"), 1u);
  EXPECT_EQ(scope.calls("aten::gather"), 1u);
  for (const auto& entry : scope.entries()) {
    EXPECT_EQ(entry.cause.empty(), !is_fallback(entry.way)) << entry.op;
  }
}

TEST(Ledger, EveryWayHasAName) {
  EXPECT_STREQ(way_name(Way::native), "native");
  EXPECT_STREQ(way_name(Way::stub), "stub");
  EXPECT_STREQ(way_name(Way::forwarded), "forwarded");
  EXPECT_STREQ(way_name(Way::explicit_fallback), "explicit_fallback");
  EXPECT_STREQ(way_name(Way::global_fallback), "global_fallback");
  EXPECT_FALSE(is_fallback(Way::native));
  EXPECT_FALSE(is_fallback(Way::stub));
  EXPECT_TRUE(is_fallback(Way::forwarded));
  EXPECT_TRUE(is_fallback(Way::explicit_fallback));
  EXPECT_TRUE(is_fallback(Way::global_fallback));
}

}  // namespace
}  // namespace openreg::test
