#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <torch/script.h>

#include "models/built_models.h"
#include "models/run_both.h"
#include "support/ledger.h"

namespace openreg::test {
namespace {

TEST(Built, MlpWithAbs) {
  const auto model = built_model("MlpWithAbs");
  const LedgerScope ledger;
  expect_same_on_both(model.module, model.inputs);
  EXPECT_TRUE(ran_by(ledger, "aten::abs.out", Way::stub));
  EXPECT_TRUE(only_cpu_kernels_computed(ledger));  // so it was compared to the bit
}

TEST(Built, CnnWithBatchNorm) {
  const auto model = built_model("CnnWithBatchNorm");
  const LedgerScope ledger;
  expect_same_on_both(model.module, model.inputs);
  EXPECT_TRUE(ran_by(ledger, "aten::convolution", Way::forwarded));
  EXPECT_TRUE(only_cpu_kernels_computed(ledger));
}

TEST(Built, CnnTrainsItsBatchNorm) {
  const auto model = built_model("CnnTrainsItsBatchNorm");
  expect_same_on_both(model.module, model.inputs);
}

TEST(Built, UNetWithTransposedConvolution) {
  const auto model = built_model("UNetWithTransposedConvolution");
  const LedgerScope ledger;
  expect_same_on_both(model.module, model.inputs);
  EXPECT_TRUE(only_cpu_kernels_computed(ledger));
}

TEST(Built, Lstm) {
  const auto model = built_model("Lstm");
  const LedgerScope ledger;
  expect_same_on_both(model.module, model.inputs);
  EXPECT_TRUE(ran_by(ledger, "aten::lstm.input", Way::native));
}

TEST(Built, BidirectionalGru) {
  const auto model = built_model("BidirectionalGru");
  const LedgerScope ledger;
  expect_same_on_both(model.module, model.inputs);
  EXPECT_TRUE(ran_by(ledger, "aten::gru.input", Way::native));
}

TEST(Built, DecoderWithAttention) {
  const auto model = built_model("DecoderWithAttention");
  expect_same_on_both(model.module, model.inputs);
}

TEST(Built, LoopThatDependsOnTheData) {
  const auto model = built_model("LoopThatDependsOnTheData");
  const LedgerScope ledger;
  expect_same_on_both(model.module, model.inputs);
  EXPECT_TRUE(ran_by(ledger, "aten::_local_scalar_dense", Way::native));
  EXPECT_TRUE(only_cpu_kernels_computed(ledger));
}

TEST(Built, SubmodulesAndContainers) {
  const auto model = built_model("SubmodulesAndContainers");
  expect_same_on_both(model.module, model.inputs);
}

}  // namespace
}  // namespace openreg::test
