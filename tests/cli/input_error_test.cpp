#include <gtest/gtest.h>

#include "process.h"

TEST(RunError, FileThatIsNotThere) {
  expect_error(demo("run /nowhere/model.pt"), "cannot read '/nowhere/model.pt': No such file or directory");
  expect_error(demo("run /"), "cannot read '/': Is a directory");
}

TEST(RunError, FileThatIsNoModel) {
  expect_error(demo("run " + file("text.pt")), "cannot load '" + file("text.pt") + "' as TorchScript");
  expect_error(demo("run " + file("x.pt")), "as TorchScript");
}

TEST(RunError, ModelWithoutForward) { expect_error(demo("run " + file("no_forward.pt")), "no method 'forward'"); }

TEST(RunError, InputThatIsNeitherSpecificationNorFile) {
  const auto finished = demo("run --input flaot:3");
  expect_error(finished, "'flaot:3'");
  EXPECT_TRUE(has(finished.err, "DTYPE:SHAPE")) << finished.err;
  expect_error(demo("run --input " + file("text.pt")), "holds no saved tensors");
}

TEST(RunError, InputSpecificationThatGoesOnWrongly) {
  expect_error(demo("run --input float:3x"), "'3x' is no shape");
  expect_error(demo("run --input int=many"), "'many' is no whole number");
}

TEST(RunError, Device) {
  expect_error(demo("run --device openreg:300"), "'openreg:300' is no device");
  expect_error(demo("run --device cpu"), "'cpu' is no device");
}

TEST(RunError, WrongNumberOfInputs) { expect_error(demo("run " + file("pair.pt") + " --input float:2"), "'y'"); }

TEST(RunError, ModelThatRaises) {
  expect_error(demo("run " + file("raises.pt") + " --input float:2"), "the model says no");
  expect_error(demo("run " + file("wrong_shapes.pt") + " --input float:2x3"), "cannot be multiplied");
  expect_error(demo("run " + file("bad_example.pt")), "'example' failed");
}
