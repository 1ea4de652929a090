#include <gtest/gtest.h>
#include <torch/torch.h>

#include "support/alike.h"
#include "support/compare.h"
#include "support/samples.h"
#include "support/silence.h"

namespace openreg::test {
namespace {

using Pair = std::tuple<at::ScalarType, at::ScalarType>;
class CopyDtype : public testing::TestWithParam<Pair> {};

at::Tensor finite_values(at::ScalarType dtype) {
  return at::arange(24, at::kLong).to(dtype).view({4, 6}).t();  // every dtype holds these exactly or not at all
}

TEST_P(CopyDtype, ConvertsAsTheCpuInEveryDirection) {
  const Silence silence;  // complex to real drops the imaginary part, which is meant here
  const auto [from, to] = GetParam();
  const auto source = finite_values(from);
  const auto device_source = source.to(device());
  const auto destination = [to = to](c10::Device where) {
    return at::zeros({6, 4}, at::device(where).dtype(at::kLong)).to(to);
  };
  const auto on_cpu = [&] { return destination(at::kCPU).copy_(source); };
  EXPECT_TRUE(alike(on_cpu, [&] { return destination(device()).copy_(source); })) << "host to device";
  EXPECT_TRUE(alike(on_cpu, [&] { return destination(device()).copy_(device_source); })) << "within a device";
  EXPECT_TRUE(alike(on_cpu, [&] { return destination(device(1)).copy_(device_source); })) << "across devices";
  EXPECT_TRUE(alike(on_cpu, [&] { return destination(at::kCPU).copy_(device_source).to(device()); }))
      << "device to host";
}

INSTANTIATE_TEST_SUITE_P(All, CopyDtype,
                         testing::Combine(testing::ValuesIn(all_dtypes()), testing::ValuesIn(all_dtypes())));

TEST(CopyDtypeStrided, BothSidesAndTheRestStays) {
  const auto source = (at::arange(96, at::kFloat) / 7).view({8, 12}).t();
  const auto expected = at::full({6, 9}, -1, at::kHalf);
  const auto into = [](const at::Tensor& base) { return base.slice(0, 1, 5).slice(1, 1, 8, 3); };
  const auto from = [](const at::Tensor& base) { return base.slice(0, 2, 10, 2).slice(1, 3, 6); };
  into(expected).copy_(from(source));
  const std::vector<c10::Device> places{at::kCPU, device(0), device(1)};
  for (const auto from_where : places) {
    for (const auto to_where : places) {
      const auto actual = at::full({6, 9}, -1, at::device(to_where).dtype(at::kHalf));
      into(actual).copy_(from(source.to(from_where)));
      EXPECT_TRUE(same_bits(expected, actual)) << from_where << " to " << to_where;
    }
  }
}

TEST(CopyDtypeTo, ChangesDeviceAndDtypeAtOnce) {
  const auto x = at::arange(6, at::kFloat) / 4;
  EXPECT_TRUE(same_on_device(x.to(at::kHalf), x.to(device(), at::kHalf)));
  EXPECT_TRUE(same_bits(x.to(at::kInt), x.to(device()).to(at::kCPU, at::kInt)));
}

}  // namespace
}  // namespace openreg::test
