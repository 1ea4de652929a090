#include <gtest/gtest.h>

#include "process.h"

namespace {

void expect_ok(const Finished& finished) {
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
  EXPECT_EQ(finished.err, "");
  EXPECT_TRUE(has(finished.out, "\nok  largest difference ")) << finished.out;
}

}  // namespace

TEST(Run, BundledModel) {
  const auto finished = demo("run");
  expect_ok(finished);
  for (const char* const part : {"forward(Tensor x) -> Tensor", "float [8, 16]", "float [8, 10]", "stub ", "openreg:0",
                                 "6 parameters", "CPU "}) {
    EXPECT_TRUE(has(finished.out, part)) << "no '" << part << "' in:\n" << finished.out;
  }
}

TEST(Run, OtherDevice) {
  const auto finished = demo("run --device openreg:1");
  expect_ok(finished);
  EXPECT_TRUE(has(finished.out, "openreg:1 ")) << finished.out;
}

TEST(Run, TensorsAndScalars) {
  expect_ok(demo("run " + file("mul_by_int.pt") + " --input float:2x3 --input int=16000"));
  expect_ok(demo("run " + file("mul_by_default.pt") + " --input long:1x16:0..999"));
  expect_ok(demo("run --input double:3 " + file("mul_by_default.pt")));
}

TEST(Run, NestedResultIsComparedLeafByLeaf) {
  const auto finished = demo("run " + file("nested.pt") + " --input float:2x2");
  expect_ok(finished);
  for (const char* const part : {"output[0]", "output[1][1]", "output[2]['rows']", "output[3]", "int 3", "output[4]",
                                 "output[5]", "output[6]", "bool [2, 2]", "output[7]"}) {
    EXPECT_TRUE(has(finished.out, part)) << "no '" << part << "' in:\n" << finished.out;
  }
}

TEST(Run, NotANumberAndInfinityAreEqualInKind) { expect_ok(demo("run " + file("not_finite.pt") + " --input float:3")); }

TEST(Run, ModelWithStateAndModelThatWritesToItsInput) {
  expect_ok(demo("run " + file("counter.pt") + " --input float:2"));
  expect_ok(demo("run " + file("in_place.pt") + " --input float:2"));
}

TEST(Run, ModelThatDrawsNumbersDrawsTheSame) { expect_ok(demo("run " + file("random.pt") + " --input float:2")); }

TEST(Run, ModelThatNamesTheCpuInItsCode) { expect_ok(demo("run " + file("names_the_cpu.pt") + " --input float:2")); }

TEST(Run, RepeatComparesEachCall) {
  const auto finished = demo("run --repeat 3 " + file("counter.pt") + " --input float:2");
  expect_ok(finished);
  EXPECT_TRUE(has(finished.out, "output of call 3")) << finished.out;
}

TEST(Run, SeedDecidesTheInputs) {
  const auto arguments = "run --input float:8x16 --seed ";
  expect_ok(demo(arguments + std::string("5")));
}

TEST(Run, SavedTensors) {
  expect_ok(demo("run " + file("mul_by_default.pt") + " --input " + file("x.pt")));
  expect_ok(demo("run " + file("pair.pt") + " --input " + file("x_and_y.pt")));
  expect_ok(demo("run " + file("pair.pt") + " --input " + file("x_and_y_archive.pt")));
  expect_ok(demo("run " + file("pair.pt") + " --input " + file("x.pt") + " --input " + file("x.pt")));
  expect_ok(demo("run " + file("list_of_tensors.pt") + " --input " + file("list.pt")));
}

TEST(Run, OutputOnTheCpuIsAFailure) {
  const auto finished = demo("run " + file("on_cpu.pt") + " --input float:2");
  expect_error(finished, "output[1] is on cpu, not on openreg:0");
  EXPECT_TRUE(has(finished.out, "FAILED")) << finished.out;
}

TEST(Run, NoOperatorOnTheDeviceIsAnError) {
  expect_error(demo("run " + file("nothing.pt") + " --input int=1"), "no operator ran on openreg:0");
}

TEST(Run, WithoutInputsNamesTheSignatureAndACommandThatWorks) {
  const auto finished = demo("run " + file("mul_by_int.pt"));
  expect_error(finished, "forward(Tensor x, int n) -> Tensor");
  EXPECT_TRUE(has(finished.err, "A guess from these types, which say neither shapes nor ")) << finished.err;
  const std::string marker = "openreg_demo run ";
  const auto at = finished.err.rfind(marker);
  ASSERT_NE(at, std::string::npos) << finished.err;
  auto arguments = finished.err.substr(at + std::string("openreg_demo ").size());
  arguments.pop_back();
  expect_ok(demo(arguments));
}
