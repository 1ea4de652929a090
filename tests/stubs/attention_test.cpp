#include <gtest/gtest.h>
#include <openreg/fallback.h>

#include "stubs/attention_case.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

constexpr const char* kChoice = "aten::_fused_sdp_choice";
constexpr const char* kFused = "aten::_scaled_dot_product_fused_attention_overrideable";
constexpr const char* kFusedBackward = "aten::_scaled_dot_product_fused_attention_overrideable_backward";

double tolerance_of(const at::Tensor& x) { return c10::elementSize(x.scalar_type()) >= 4 ? 1e-5 : 1e-2; }

// Blocks that the next tensors get are full of NaN: memory that a kernel forgets to write shows.
void poison() {
  std::vector<at::Tensor> blocks;
  for (std::int64_t bytes = 64; bytes <= 1 << 20; bytes *= 2) {
    for (int i = 0; i < 4; ++i) {
      blocks.push_back(at::empty({bytes}, at::device(device()).dtype(at::kByte)).fill_(0xff));
    }
  }
}

TEST(Attention, EqualsTheCpuIn200RandomCases) {
  std::map<std::string, int> ran;
  for (std::uint64_t number = 0; number < 200; ++number) {
    const auto attention = random_case(number);
    SCOPED_TRACE(attention.text);
    std::vector<at::Tensor> expected;
    std::vector<at::Tensor> actual;
    const auto on_cpu = error_of([&] { expected = attend(attention, at::kCPU, number); });
    poison();
    const LedgerScope scope;
    const auto on_device = error_of([&] { actual = attend(attention, device(), number); });
    ASSERT_EQ(on_cpu, on_device);
    if (!on_cpu.empty()) {
      ++ran["refused"];
      continue;
    }
    const bool empty = attention.query.numel() == 0 || attention.key.numel() == 0;
    if (!empty) {  // newer libtorch asks nobody then
      EXPECT_TRUE(ran_by(scope, kChoice, Way::stub));
    }
    const bool fused = scope.calls(kFused) > 0;
    EXPECT_EQ(scope.calls(kFusedBackward), fused ? 1u : 0u);
    ++ran[fused ? "fused" : "math"];
    ran["dropout"] += attention.dropout != 0 ? 1 : 0;
    EXPECT_FALSE(fused && attention.dropout != 0);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(expected[i].defined(), actual[i].defined()) << "result " << i;
      if (expected[i].defined()) {  // newer libtorch leaves the gradients of empty attention undefined
        EXPECT_TRUE(close_to(expected[i], actual[i], tolerance_of(expected[i]))) << "result " << i;
      }
    }
  }
  // The cases are of use only while they take every way.
  EXPECT_GT(ran["fused"], 60);
  EXPECT_GT(ran["math"], 30);
  EXPECT_GT(ran["dropout"], 15);
  EXPECT_LT(ran["refused"], 20);
}

TEST(Attention, RunsOnTheTensorsDevice) {
  const auto x = at::randn({1, 2, 3, 8}).to(device(1)).requires_grad_();
  const auto y = at::scaled_dot_product_attention(x, x, x);
  EXPECT_EQ(y.device(), device(1));
  y.sum().backward();
  EXPECT_EQ(x.grad().device(), device(1));
}

TEST(Attention, RefusesWhatTheCpuRefuses) {
  const auto both = [](const std::function<void(c10::Device)>& run) {
    return throw_alike([&] { run(at::kCPU); }, [&] { run(device()); });
  };
  EXPECT_TRUE(both([](c10::Device where) {
    const auto x = at::randn({8}).to(where);
    at::scaled_dot_product_attention(x, x, x);
  }));
  EXPECT_TRUE(both([](c10::Device where) {
    const auto x = at::randn({1, 2, 3, 8}).to(where);
    at::scaled_dot_product_attention(x, x, x, at::zeros({3, 3}, at::kLong).to(where));
  }));
  EXPECT_TRUE(both([](c10::Device where) {
    const auto x = at::randn({1, 2, 3, 8}).to(where);
    at::scaled_dot_product_attention(x, x.to(at::kDouble), x);
  }));
}

// Inference takes the same way as training.
TEST(Attention, RunsFusedInInferenceMode) {
  const c10::InferenceMode inference;
  const auto x = at::randn({2, 2, 5, 16});
  const LedgerScope scope;
  const auto y = at::scaled_dot_product_attention(x.to(device()), x.to(device()), x.to(device()));
  EXPECT_TRUE(ran_by(scope, kFused, Way::native));
  EXPECT_TRUE(close_to(at::scaled_dot_product_attention(x, x, x), y, 1e-5));
}

}  // namespace
}  // namespace openreg::test
