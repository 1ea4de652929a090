#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <openreg/openreg.h>

#include <atomic>

#include "fallback/host_session.h"
#include "support/compare.h"
#include "support/ledger.h"
#include "support/samples.h"
#include "support/silence.h"

// Stock mode calls at::native::cpu_fallback and nothing else: it copies, so a view is not a view.
namespace openreg::test {
namespace {

FallbackPolicy stock() {
  FallbackPolicy policy;
  policy.mode = FallbackMode::stock;
  return policy;
}

TEST(Stock, ComputesAndCopies) {
  const auto x = at::arange(8, at::kFloat).to(device());
  const LedgerScope ledger;
  const FallbackPolicyScope scope(stock());
  EXPECT_TRUE(same_on_device(at::arange(8, at::kFloat) * 2, x + x));
  EXPECT_TRUE(ran_by(ledger, "aten::add.Tensor", Way::explicit_fallback));
  EXPECT_GE(ledger.calls("aten::_copy_from"), 2u);
}

TEST(Stock, BreaksTheViewThatOursKeeps) {
  const Silence silence;  // stock warns of each view
  const auto x = at::ones({8}, device());
  {
    const FallbackPolicyScope scope(stock());
    x.unfold(0, 2, 2).fill_(7);
  }
  EXPECT_TRUE(same_bits(at::ones({8}), x));
  x.unfold(0, 2, 2).fill_(7);
  EXPECT_TRUE(same_bits(at::full({8}, 7.0f), x));
}

// Two layers over three steps.
at::Tensor output_of_lstm(const std::vector<at::Tensor>& tensors) {
  return std::get<0>(at::lstm(tensors[0], at::TensorList(tensors).slice(1, 2), at::TensorList(tensors).slice(3),
                              /*has_biases=*/false, 2, 0.0, false, false, false));
}

TEST(Stock, TakesRecurrentLayersApart) {
  std::vector<at::Tensor> on_cpu;
  for (const std::vector<std::int64_t>& sizes :
       std::vector<std::vector<std::int64_t>>{{3, 2, 4}, {2, 2, 6}, {2, 2, 6}, {24, 4}, {24, 6}, {24, 6}, {24, 6}}) {
    on_cpu.push_back(at::randn(sizes));
  }
  std::vector<at::Tensor> tensors;
  for (const auto& tensor : on_cpu) tensors.push_back(tensor.to(device()));
  const LedgerScope ledger;
  const FallbackPolicyScope scope(stock());
  EXPECT_TRUE(close_to(output_of_lstm(on_cpu), output_of_lstm(tensors), 1e-5));
  EXPECT_EQ(ledger.calls("aten::lstm.input"), 0u);
  EXPECT_EQ(ledger.calls("aten::_thnn_fused_lstm_cell"), 6u);
}

// Calls of the CPU's copy, which openreg spares a small tensor. A queued copy runs in the stream's thread.
int copies_of_the_cpu(const at::Tensor& from) {
  static std::atomic<int> calls = 0;
  auto to = at::empty_like(from);
  synchronize();
  calls = 0;
  const auto handle = at::addGlobalCallback(at::RecordFunctionCallback([](const at::RecordFunction& call) {
    calls += std::string_view(call.name()) == "aten::copy_";
    return std::unique_ptr<at::ObserverContext>();
  }));
  to.copy_(from);
  synchronize();
  at::removeCallback(handle);
  const int made = calls;
  EXPECT_TRUE(same_bits(from, to));
  return made - 1;  // the call on the device
}

TEST(Stock, CopiesSmallTensorsWithTheCpusKernel) {
  const auto x = at::arange(8, at::kFloat).to(device());
  if (fallback::host_access() == fallback::HostAccess::mapped) {
    EXPECT_EQ(copies_of_the_cpu(x), 0);
  }
  const FallbackPolicyScope scope(stock());
  EXPECT_GE(copies_of_the_cpu(x), 1);
}

TEST(Stock, OursCopiesNothing) {
  const auto x = at::ones({8}, device());
  const LedgerScope ledger;
  x + x;
  EXPECT_EQ(ledger.calls("aten::_copy_from"), 0u);
}

}  // namespace
}  // namespace openreg::test
