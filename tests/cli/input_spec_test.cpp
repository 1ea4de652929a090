#include "input_spec.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

using openreg::demo::value_from_spec;

namespace {

at::Tensor tensor(const std::string& spec) { return value_from_spec(spec).value().toTensor(); }

std::string error_of(const std::string& spec) {
  try {
    value_from_spec(spec);
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  }
  return "";
}

}  // namespace

TEST(InputSpec, TypesAndShapes) {
  EXPECT_EQ(tensor("float:1x3x4").sizes(), at::IntArrayRef({1, 3, 4}));
  EXPECT_EQ(tensor("double:7").scalar_type(), at::kDouble);
  EXPECT_EQ(tensor("half:2").scalar_type(), at::kHalf);
  EXPECT_EQ(tensor("bfloat16:2").scalar_type(), at::kBFloat16);
  EXPECT_EQ(tensor("uint8:2").scalar_type(), at::kByte);
  EXPECT_EQ(tensor("complex64:2x2").scalar_type(), at::kComplexFloat);
  EXPECT_EQ(tensor("bool:4x4").scalar_type(), at::kBool);
  EXPECT_EQ(tensor("float:").dim(), 0);
  EXPECT_EQ(tensor("float:0x3").numel(), 0);
}

TEST(InputSpec, RangesHoldTheirBounds) {
  const auto integers = tensor("long:1000:-2..2");
  EXPECT_EQ(integers.min().item<std::int64_t>(), -2);
  EXPECT_EQ(integers.max().item<std::int64_t>(), 2);
  const auto reals = tensor("float:1000:2..3");
  EXPECT_GE(reals.min().item<double>(), 2);
  EXPECT_LE(reals.max().item<double>(), 3);
  const auto standard = tensor("float:1000");
  EXPECT_LT(standard.min().item<double>(), -0.5);
  EXPECT_GT(standard.max().item<double>(), 0.5);
  EXPECT_TRUE(tensor("bool:1000").any().item<bool>());
  EXPECT_FALSE(tensor("bool:1000").all().item<bool>());
}

TEST(InputSpec, SeedDecides) {
  at::manual_seed(3);
  const auto first = tensor("float:8");
  EXPECT_FALSE(first.equal(tensor("float:8")));
  at::manual_seed(3);
  EXPECT_TRUE(first.equal(tensor("float:8")));
}

TEST(InputSpec, Scalars) {
  EXPECT_EQ(value_from_spec("int=16000")->toInt(), 16000);
  EXPECT_EQ(value_from_spec("int=-1")->toInt(), -1);
  EXPECT_EQ(value_from_spec("float=0.5")->toDouble(), 0.5);
  EXPECT_TRUE(value_from_spec("bool=true")->toBool());
  EXPECT_EQ(value_from_spec("str=a:b=c")->toStringRef(), "a:b=c");
  EXPECT_TRUE(value_from_spec("none")->isNone());
}

TEST(InputSpec, OtherTextIsLeftToFiles) {
  for (const char* const spec : {"x.pt", "dir/x.pt", "flaot:3", "integer=3", ""}) {
    EXPECT_FALSE(value_from_spec(spec).has_value()) << spec;
  }
}

TEST(InputSpec, ErrorsNameTheSpecificationAndThePart) {
  for (const auto& [spec, part] : std::initializer_list<std::pair<const char*, const char*>>{
           {"float:3x", "'3x' is no shape"},
           {"float:-3", "'-3' is no shape"},
           {"float:axb", "'axb' is no shape"},
           {"long:3:9", "'9' is no range"},
           {"long:3:9..0", "'9..0' is no range"},
           {"long:3:0.5..2", "'0.5..2' is no range"},
           {"long:3:", "is no range"},
           {"int=0.5", "'0.5' is no whole number"},
           {"int=99999999999999999999", "is no whole number of 64 bits"},
           {"float=a", "'a' is no number"},
           {"bool=yes", "'yes' is neither true nor false"}}) {
    const auto error = error_of(spec);
    EXPECT_NE(error.find(part), std::string::npos) << spec << ": " << error;
    EXPECT_EQ(error.find(std::string("--input ") + spec), 0U) << error;
  }
}
