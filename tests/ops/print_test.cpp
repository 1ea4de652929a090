#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <torch/torch.h>

#include <sstream>

#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

std::string printed(const at::Tensor& tensor) {
  std::ostringstream text;
  text << tensor;
  return text.str();
}

std::string with_our_name(std::string text) {
  if (const auto at = text.find("CPU"); at != std::string::npos) {
    text.replace(at, 3, "openreg");
  }
  return text;
}

TEST(Print, EveryDtypeShapeAndLayoutReadsAsOnTheCpu) {
  // Of a negated double tensor on the CPU libtorch prints what is stored, without the sign: so it is resolved first.
  for (const auto& sample : all_samples()) {
    SCOPED_TRACE(sample.name);
    std::string cpu;
    std::string ours;
    const auto cpu_error = error_of([&] { cpu = printed(sample.cpu.resolve_conj().resolve_neg()); });
    const auto our_error = error_of([&] { ours = printed(sample.device); });
    EXPECT_EQ(cpu_error, our_error);
    EXPECT_EQ(with_our_name(cpu), ours);
  }
}

TEST(Print, NamesTheBackend) {
  EXPECT_TRUE(contains(printed(at::ones({2, 2}, device())), "openregFloatType{2,2}"));
  EXPECT_TRUE(contains(printed(at::ones({2}, at::device(device()).dtype(at::kHalf))), "openregHalfType{2}"));
  EXPECT_EQ(at::ones({2}, device()).toString(), "openregFloatType");
}

// Not even a conversion to double, which a device may lack.
TEST(Print, ComputesNothingOnTheDevice) {
  for (const auto dtype : {at::kHalf, at::kBool, at::kLong, at::kFloat}) {
    const auto x = values({2, 3}, dtype).to(device());
    const LedgerScope scope;
    printed(x);
    for (const auto& entry : scope.entries()) {
      EXPECT_EQ(entry.op, "aten::_copy_from") << dtype;
    }
    EXPECT_GT(scope.calls("aten::_copy_from"), 0u);
  }
}

TEST(Print, ZeroTensors) {
  EXPECT_EQ(with_our_name(printed(at::_efficientzerotensor({2}))),
            printed(at::_efficientzerotensor({2}, at::device(device()))));
}

}  // namespace
}  // namespace openreg::test
