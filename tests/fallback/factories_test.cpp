#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <openreg/fallback.h>

#include "support/alike.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

// Operators with a Device argument and no tensor: the argument alone says where the result is.
namespace openreg::test {
namespace {

struct Factory {
  const char* name;
  at::Tensor (*make)(const at::TensorOptions&);
};

const Factory kFactories[] = {
    {"triu_indices", [](const at::TensorOptions& o) { return at::triu_indices(3, 4, 0, o.dtype(at::kLong)); }},
    {"tril_indices", [](const at::TensorOptions& o) { return at::tril_indices(3, 4, 0, o.dtype(at::kLong)); }},
    {"eye", [](const at::TensorOptions& o) { return at::eye(3, 4, o); }},
    {"linspace", [](const at::TensorOptions& o) { return at::linspace(0, 1, 7, o); }},
    {"logspace", [](const at::TensorOptions& o) { return at::logspace(0, 1, 7, 10, o); }},
    {"arange", [](const at::TensorOptions& o) { return at::arange(1, 8, 2, o); }},
    {"range", [](const at::TensorOptions& o) { return at::range(1, 8, 2, o); }},
    {"full",
     [](const at::TensorOptions& o) {
       return at::full({2, 3}, 1.5, o);
     }},
    {"zeros",
     [](const at::TensorOptions& o) {
       return at::zeros({2, 3}, o);
     }},
    {"ones",
     [](const at::TensorOptions& o) {
       return at::ones({2, 3}, o.dtype(at::kBool));
     }},
    {"scalar_tensor", [](const at::TensorOptions& o) { return at::scalar_tensor(2.5, o); }},
    {"hann_window", [](const at::TensorOptions& o) { return at::hann_window(8, o); }},
    {"bartlett_window", [](const at::TensorOptions& o) { return at::bartlett_window(8, o); }},
    {"full_like",
     [](const at::TensorOptions& o) {
       return at::full_like(at::zeros({2, 2}), 3, o);
     }},
    {"zeros_like",
     [](const at::TensorOptions& o) {
       return at::zeros_like(at::ones({2, 2}), o);
     }},
    {"ones_like",
     [](const at::TensorOptions& o) {
       return at::ones_like(at::zeros({2, 2}), o);
     }},
    {"vander", [](const at::TensorOptions& o) { return at::vander(at::arange(3, o)); }},
};

class Factories : public testing::TestWithParam<Factory> {};

TEST_P(Factories, MakeTheCpusValuesOnTheDeviceThatIsAskedFor) {
  const auto& make = GetParam().make;
  for (int index = 0; index < 2; ++index) {
    EXPECT_TRUE(alike([&] { return make(at::device(at::kCPU)); }, [&] { return make(at::device(device(index))); }));
    EXPECT_EQ(make(at::device(device(index))).device(), device(index));
  }
}

TEST_P(Factories, RefuseAnIndexThatDoesNotExist) {
  EXPECT_TRUE(throws([] { GetParam().make(at::device(device(3))); }, "openreg:3 does not exist"));
}

INSTANTIATE_TEST_SUITE_P(All, Factories, testing::ValuesIn(kFactories),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(RandomFactories, AreOnTheDeviceAndLeaveTheCpusGeneratorAlone) {
  at::manual_seed(7);
  const auto expected = at::randn({3});
  at::manual_seed(7);
  EXPECT_EQ(at::randn({4}, device(1)).device(), device(1));
  EXPECT_EQ(at::rand({4}, device(1)).device(), device(1));
  const auto order = at::randperm(8, at::device(device()).dtype(at::kLong));
  EXPECT_TRUE(same_on_device(at::arange(8, at::kLong), std::get<0>(order.sort())));
  EXPECT_EQ(at::randint(5, {4}, at::device(device())).device(), device());
  EXPECT_TRUE(same_bits(expected, at::randn({3})));
}

TEST(RandomFactories, RepeatWithTheSameSeed) {
  auto generator = at::globalContext().defaultGenerator(device());
  generator.set_current_seed(3);
  const auto first = at::randn({16}, device());
  generator.set_current_seed(3);
  EXPECT_TRUE(same_bits(first, at::randn({16}, device())));
  EXPECT_FALSE(same_bits(first, at::randn({16}, device())));
}

TEST(LikeFactories, FollowTheDeviceArgumentRatherThanTheTensor) {
  const auto x = at::ones({2}, device());
  EXPECT_TRUE(at::zeros_like(x, at::device(at::kCPU)).is_cpu());
  EXPECT_EQ(at::zeros_like(x, at::device(device(1))).device(), device(1));
  EXPECT_EQ(at::empty_like(x).device(), device(0));
  EXPECT_TRUE(x.new_zeros({3}, at::device(at::kCPU)).is_cpu());
}

}  // namespace
}  // namespace openreg::test
