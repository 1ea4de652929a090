#include <gtest/gtest.h>
#include <torch/version.h>

#include <iostream>
#include <sstream>

#include "differential/planted_faults.h"
#include "differential/report.h"

namespace openreg::differential {
namespace {

constexpr int kParts = 16;  // of the operators; gtest's own sharding shares these out

#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 14
constexpr int kFedAtLeast = 2200;
#else
constexpr int kFedAtLeast = 2000;
#endif

std::vector<OperatorReport>& all_reports() {
  static auto* const reports = new std::vector<OperatorReport>;
  return *reports;
}

class Operators : public testing::TestWithParam<int> {};

TEST_P(Operators, AreTheSameOnOpenreg) {
  const RunOptions options;
  const auto part = shard_of(operators_to_run().run, static_cast<std::size_t>(GetParam()), kParts);
  const auto reports = examine_in_children(part, options);
  all_reports().insert(all_reports().end(), reports.begin(), reports.end());
  const auto totals = count(reports);
  std::ostringstream text;
  print_differences(text, reports, options.seed);
  EXPECT_EQ(totals.differences, 0) << text.str();
}

INSTANTIATE_TEST_SUITE_P(Part, Operators, testing::Range(0, kParts));

// When all parts ran in this process: enough of the operators were really tried.
class EnoughFed final : public testing::Environment {
 public:
  void TearDown() override {
    const auto totals = count(all_reports());
    std::cout << totals << "\n";
    if (all_reports().size() == operators_to_run().run.size()) {
      EXPECT_GE(totals.fed, kFedAtLeast) << "differential_tests --all --unfed lists what is missing.";
    }
  }
};
const auto* const enough_fed = testing::AddGlobalTestEnvironment(new EnoughFed);

class PlantedFaults : public testing::TestWithParam<std::size_t> {};

TEST_P(PlantedFaults, AreReported) {
  const auto& fault = planted_faults()[GetParam()];
  RunOptions options;
  options.prepare = fault.plant;
  const auto reports = examine_in_children({fault.op}, options);
  ASSERT_EQ(reports.size(), 1U);
  std::ostringstream text;
  print_differences(text, reports, options.seed);
  EXPECT_NE(text.str().find(fault.symptom), std::string::npos) << fault.name << " went unseen:\n" << text.str();
}

INSTANTIATE_TEST_SUITE_P(Each, PlantedFaults, testing::Range<std::size_t>(0, planted_faults().size()));

}  // namespace
}  // namespace openreg::differential
