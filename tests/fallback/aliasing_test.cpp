#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <openreg/fallback.h>

#include "support/alike.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

at::Tensor complex_values(c10::Device where) {
  return at::complex(at::arange(4, at::kFloat), at::arange(4, 8, at::kFloat)).to(where);
}

TEST(Aliasing, UnfoldIsAView) {
  auto x = at::ones({8}, device());
  auto windows = x.unfold(0, 2, 2);
  EXPECT_TRUE(shares_storage(x, windows));
  windows.fill_(7);
  EXPECT_TRUE(same_on_device(at::full({8}, 7.0f), x));
}

TEST(Aliasing, ViewAsRealIsAView) {
  const auto z = complex_values(device());
  auto parts = at::view_as_real(z);
  EXPECT_TRUE(shares_storage(z, parts));
  EXPECT_TRUE(same_on_device(at::view_as_real(complex_values(at::kCPU)), parts));
  parts.select(1, 1).fill_(-1);
  EXPECT_TRUE(same_bits(at::full({4}, -1.0f), at::imag(z)));
}

TEST(Aliasing, ViewAsComplexIsAView) {
  const auto parts = at::arange(8, at::kFloat).view({4, 2}).to(device());
  auto z = at::view_as_complex(parts);
  EXPECT_TRUE(shares_storage(parts, z));
  z.zero_();
  EXPECT_TRUE(same_bits(at::zeros({4, 2}), parts));
}

TEST(Aliasing, RealAndImagAreViews) {
  const auto z = complex_values(device());
  at::real(z).fill_(3);
  at::imag(z).fill_(4);
  EXPECT_TRUE(shares_storage(z, at::real(z)));
  EXPECT_TRUE(shares_storage(z, at::imag(z)));
  EXPECT_TRUE(same_bits(at::full({4}, 5.0f), z.abs()));
}

TEST(Aliasing, ImagOfAConjugateIsANegatedView) {
  const auto z = complex_values(device());
  const auto negated = at::imag(z.conj());
  EXPECT_TRUE(negated.is_neg());
  EXPECT_TRUE(shares_storage(z, negated));
  EXPECT_TRUE(same_bits(-at::arange(4, 8, at::kFloat), negated));
}

TEST(Aliasing, AnArgumentThatIsReturnedIsThatArgument) {
  auto x = at::ones({3}, device());
  EXPECT_TRUE(x.add_(1).is_same(x));
  auto out = at::empty({3}, device());
  EXPECT_TRUE(at::add_out(out, x, x).is_same(out));
  EXPECT_TRUE(same_bits(at::full({3}, 4.0f), out));
}

TEST(Aliasing, TheSameTensorTwiceIsSeenAsTheSame) {
  const auto run = [](c10::Device where) {
    auto x = at::arange(1, 5, at::kFloat).to(where);
    x.mul_(x);
    x.addcmul_(x, x);
    return x;
  };
  EXPECT_TRUE(alike([&] { return run(at::kCPU); }, [&] { return run(device()); }));
}

TEST(Aliasing, TwoResultsMayShareAStorage) {
  const auto x = at::arange(6, at::kFloat).to(device());
  const auto parts = at::split_copy(x, 3);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_TRUE(same_on_device(at::arange(3, 6, at::kFloat), parts[1]));
}

// Each throws on the CPU; the device must throw the same words, though the CPU's kernel sees other addresses.
using Run = void (*)(c10::Device);
const Run kOverlaps[] = {
    [](c10::Device where) {
      auto x = at::arange(6, at::kFloat).to(where);
      auto out = x.narrow(0, 1, 5);
      at::add_out(out, x.narrow(0, 0, 5), x.narrow(0, 0, 5));
    },
    [](c10::Device where) { at::ones({1}, where).expand({4}).add_(1); },
    [](c10::Device where) { at::ones({1}, where).expand({4}).mul_(at::ones({4}, where)); },
    [](c10::Device where) {
      auto x = at::ones({3, 3}, where);
      at::mm_out(x, x, x);
    },
    [](c10::Device where) {
      auto x = at::ones({6}, where);
      auto out = x.narrow(0, 0, 4);
      at::cat_out(out, {x.narrow(0, 2, 2), x.narrow(0, 4, 2)});
    },
    [](c10::Device where) {
      auto x = at::ones({4}, where);
      auto out = x.narrow(0, 0, 3);
      at::exp_out(out, x.narrow(0, 1, 3));
    },
    [](c10::Device where) {
      auto x = at::arange(4, at::kLong).to(where);
      auto y = x.to(at::kFloat);
      y.index_add_(0, x, y);
    },
    [](c10::Device where) {
      auto x = at::ones({4}, where);
      auto view = x.as_strided({2, 2}, {1, 1});
      view.add_(1);
    },
};
class Overlaps : public testing::TestWithParam<Run> {};

TEST_P(Overlaps, AreTreatedAsOnTheCpu) {
  EXPECT_EQ(error_of([] { GetParam()(at::kCPU); }), error_of([] { GetParam()(device()); }));
}

INSTANTIATE_TEST_SUITE_P(All, Overlaps, testing::ValuesIn(kOverlaps));

TEST(OverlapsOfTheCpu, AreRefusedAtAll) {
  EXPECT_TRUE(throws([] { kOverlaps[0](device()); }, "refer to a single memory location"));
  EXPECT_TRUE(throws([] { kOverlaps[1](device()); }, "more than one element of the written-to tensor"));
}

}  // namespace
}  // namespace openreg::test
