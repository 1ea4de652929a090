#include "compare.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using openreg::demo::compare;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

std::string problem(const c10::IValue& cpu, const c10::IValue& device, double tolerance = 1e-5) {
  for (const auto& leaf : compare("output", cpu, device, {tolerance, at::kCPU})) {
    if (!leaf.ok()) {
      return leaf.problem;
    }
  }
  return "";
}

}  // namespace

TEST(Compare, NamesTheWorstPlaceAndBothValues) {
  const auto cpu = at::zeros({2, 3});
  const auto other = cpu.clone();
  other[1][2] = 0.5;
  other[0][1] = 0.25;
  EXPECT_EQ(problem(cpu, other), "output differs by 0.5 at [1, 2]: 0.5 on cpu, 0 on the CPU; 1e-05 is allowed");
  EXPECT_EQ(problem(cpu, other, 0.5), "");
}

TEST(Compare, ToleranceGrowsWithTheValue) {
  EXPECT_EQ(problem(at::full({1}, 1e6), at::full({1}, 1e6 + 1)), "");
  EXPECT_NE(problem(at::full({1}, 1e6), at::full({1}, 1e6 + 100)), "");
}

TEST(Compare, NotANumberAndInfinityInKind) {
  const auto values = at::tensor({kNan, kInf, -kInf, 1.0});
  EXPECT_EQ(problem(values, values.clone()), "");
  for (std::int64_t i = 0; i < 3; ++i) {
    const auto other = values.clone();
    other[i] = 1;
    EXPECT_NE(problem(values, other), "") << i;
    EXPECT_NE(problem(other, values), "") << i;
  }
  EXPECT_NE(problem(at::full({1}, kInf), at::full({1}, -kInf)), "");
  EXPECT_NE(problem(at::full({1}, kInf), at::full({1}, kNan)), "");
  EXPECT_EQ(problem(kNan, kNan), "");
  EXPECT_NE(problem(kNan, 1.0), "");
}

TEST(Compare, IntegersMustBeEqualAlsoWhereDoublesCannotTell) {
  const std::int64_t large = std::int64_t{1} << 60;
  EXPECT_NE(problem(at::full({1}, large, at::kLong), at::full({1}, large + 1, at::kLong)), "");
  EXPECT_NE(problem(at::ones({2}, at::kBool), at::zeros({2}, at::kBool)), "");
  EXPECT_EQ(problem(at::ones({2}, at::kByte), at::ones({2}, at::kByte)), "");
}

TEST(Compare, ComplexNumbers) {
  const auto cpu = at::complex(at::ones({2}), at::ones({2}));
  EXPECT_EQ(problem(cpu, cpu.clone()), "");
  EXPECT_NE(problem(cpu, cpu.conj()), "");
}

TEST(Compare, TypeSizesAndDevice) {
  EXPECT_EQ(problem(at::ones({2}), at::ones({3})), "output is float [3] on cpu, but float [2] on the CPU");
  EXPECT_NE(problem(at::ones({2}), at::ones({2}, at::kDouble)), "");
  EXPECT_NE(problem(at::ones({2}), at::Tensor()), "");
  EXPECT_EQ(problem(at::ones({0}), at::ones({0})), "");
  const auto leaves = compare("output", at::ones({2}), at::ones({2}), {1e-5, at::Device("openreg:0")});
  EXPECT_EQ(leaves[0].problem, "output is on cpu, not on openreg:0");
}

TEST(Compare, PathsThroughNestedValues) {
  const auto nested = [](double value) {
    c10::impl::GenericDict dict(c10::StringType::get(), c10::TensorType::get());
    dict.insert("mask", at::full({1}, value));
    return c10::ivalue::Tuple::create(1, c10::impl::toList(c10::List<double>({0.5})), dict);
  };
  EXPECT_EQ(problem(nested(1), nested(1)), "");
  EXPECT_EQ(problem(nested(1), nested(3)).find("output[2]['mask'] differs by 2"), 0U);
}

TEST(Compare, StructureThatDiffers) {
  const c10::IValue two = c10::ivalue::Tuple::create(1, 2);
  EXPECT_NE(problem(two, c10::ivalue::Tuple::create(1)), "");
  EXPECT_EQ(problem(two, c10::ivalue::Tuple::create(1, 3)), "output[1] is int 3 on cpu, but int 2 on the CPU");
  EXPECT_NE(problem(two, 1), "");
  EXPECT_NE(problem("a", "b"), "");
  EXPECT_NE(problem(1, 1.0), "");
  EXPECT_EQ(problem(c10::IValue(), c10::IValue()), "");
}
