#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <torch/script.h>

#include <algorithm>
#include <set>

#include "models/built_models.h"
#include "models/model_files.h"
#include "models/run_both.h"
#include "support/errors.h"
#include "support/samples.h"

// What the ledger lists is what a model needs: allowed one by one it runs, and with one operator less it does not.
namespace openreg::test {
namespace {

// Registered one by one, so it runs in every mode.
constexpr const char* kAlwaysAllowed = "aten::sub.Tensor";

std::vector<std::string> all_names() {
  auto names = built_model_names();
  for (const auto& name : file_model_names()) names.push_back(name);
  for (const auto& name : speech_model_names()) names.push_back(name);
  return names;
}

// Takes the operators that fall back from their warnings, in order.
class Announced final : public c10::WarningHandler {
 public:
  void process(const c10::Warning& warning) override {
    const auto& text = warning.msg();
    if (text.compare(0, 10, "Operator '") == 0 && text.find("runs on the CPU") != std::string::npos) {
      operators.push_back(text.substr(10, text.find('\'', 10) - 10));
    }
  }
  std::vector<std::string> operators;
};

std::string refusal(const std::string& op) { return "Operator '" + op + "' is not implemented for device openreg."; }

class Policies : public testing::TestWithParam<std::string> {
 protected:
  Policies() {
    const auto built = built_model_names();
    const bool is_built = std::find(built.begin(), built.end(), GetParam()) != built.end();
    model = is_built ? built_model(GetParam()) : file_model(GetParam());
    for (const auto& input : model.inputs) inputs.push_back(moved(input, device()));
  }

  // Three runs of a new copy, since TorchScript compiles at the second: what is thrown, or "".
  std::string run(const FallbackPolicy& policy) {
    const torch::NoGradGuard no_grad;
    auto module = model.module.clone();
    module.to(device());
    const FallbackPolicyScope scope(policy);
    return error_of([&] {
      for (int i = 0; i < 3; ++i) EXPECT_TRUE(is_on_device(module.forward(inputs)));
    });
  }

  std::set<std::string> operators_that_fall_back() {
    const LedgerScope ledger;
    EXPECT_EQ(run({}), "");
    std::set<std::string> operators;
    for (const auto& entry : ledger.entries()) {
      if (is_fallback(entry.way)) operators.insert(entry.op);
    }
    return operators;
  }

  static FallbackPolicy selective(const std::set<std::string>& operators) {
    FallbackPolicy policy;
    policy.mode = FallbackMode::selective;
    policy.allow.assign(operators.begin(), operators.end());
    return policy;
  }

  Model model;
  std::vector<c10::IValue> inputs;
};

TEST_P(Policies, OffNamesTheFirstOperatorThatWouldFallBack) {
  Announced announced;
  {
    const c10::WarningUtils::WarningHandlerGuard guard(&announced);
    FallbackPolicy policy;
    policy.warning = FallbackWarning::always;
    EXPECT_EQ(run(policy), "");
  }
  std::erase(announced.operators, kAlwaysAllowed);
  ASSERT_FALSE(announced.operators.empty());
  FallbackPolicy off;
  off.mode = FallbackMode::off;
  EXPECT_TRUE(contains(run(off), refusal(announced.operators.front())));
}

TEST_P(Policies, SelectiveRunsWithWhatTheLedgerListed) {
  const auto operators = operators_that_fall_back();
  ASSERT_FALSE(operators.empty());
  const LedgerScope ledger;
  EXPECT_EQ(run(selective(operators)), "");
  std::set<std::string> again;
  for (const auto& entry : ledger.entries()) {
    if (is_fallback(entry.way)) again.insert(entry.op);
  }
  EXPECT_EQ(operators, again);
}

TEST_P(Policies, SelectiveNamesTheOneThatIsMissing) {
  const auto operators = operators_that_fall_back();
  for (const auto& missing : operators) {
    if (missing == kAlwaysAllowed) continue;
    auto others = operators;
    others.erase(missing);
    EXPECT_TRUE(contains(run(selective(others)), refusal(missing)));
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Policies, testing::ValuesIn(all_names()),
                         [](const auto& test) { return test.param.substr(0, test.param.find('.')); });

}  // namespace
}  // namespace openreg::test
