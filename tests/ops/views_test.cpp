#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <torch/torch.h>

#include "support/alike.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

at::Tensor block(c10::Device where) { return counting(24, where).view({2, 3, 4}); }

struct ViewOf {
  const char* name;
  at::Tensor (*make)(const at::Tensor&);
};

const ViewOf kViews[] = {
    {"view",
     [](const at::Tensor& x) {
       return x.view({6, 4});
     }},
    {"view_minus_one",
     [](const at::Tensor& x) {
       return x.view({4, -1});
     }},
    {"view_dtype", [](const at::Tensor& x) { return x.view(at::kInt); }},
    {"reshape",
     [](const at::Tensor& x) {
       return x.reshape({3, 8});
     }},
    {"reshape_alias",
     [](const at::Tensor& x) {
       return at::_reshape_alias(x, {8, 3}, {3, 1});
     }},
    {"as_strided",
     [](const at::Tensor& x) {
       return x.as_strided({2, 2}, {3, 5}, 2);
     }},
    {"as_strided_default_offset", [](const at::Tensor& x) { return x.select(0, 1).as_strided({2}, {2}); }},
    {"t", [](const at::Tensor& x) { return x.select(0, 1).t(); }},
    {"select", [](const at::Tensor& x) { return x.select(1, 2); }},
    {"slice", [](const at::Tensor& x) { return x.slice(2, 0, 4, 2); }},
    {"expand",
     [](const at::Tensor& x) {
       return x.select(0, 0).expand({5, 3, 4});
     }},
    {"permute",
     [](const at::Tensor& x) {
       return x.permute({2, 0, 1});
     }},
    {"diagonal", [](const at::Tensor& x) { return x.diagonal(0, 1, 2); }},
    {"split", [](const at::Tensor& x) { return x.split(2, 2)[1]; }},
    {"unbind", [](const at::Tensor& x) { return x.unbind(1)[2]; }},
    {"movedim", [](const at::Tensor& x) { return x.movedim(0, 2); }},
    {"unflatten",
     [](const at::Tensor& x) {
       return x.unflatten(2, {2, 2});
     }},
    {"unfold", [](const at::Tensor& x) { return x.unfold(2, 2, 1); }},
    {"squeeze", [](const at::Tensor& x) { return x.unsqueeze(0).squeeze(0); }},
    {"narrow", [](const at::Tensor& x) { return x.narrow(2, 1, 2); }},
    {"detach", [](const at::Tensor& x) { return x.detach(); }},
};

class Views : public testing::TestWithParam<ViewOf> {};

TEST_P(Views, AliasAndHaveTheCpusGeometry) {
  const auto& make = GetParam().make;
  const auto base = block(device());
  const auto view = make(base);
  EXPECT_TRUE(shares_storage(base, view));
  const auto expected = make(block(at::kCPU));
  EXPECT_TRUE(same_on_device(expected, view));
  EXPECT_EQ(expected.storage_offset(), view.storage_offset());
}

TEST_P(Views, WritesReachTheBase) {
  const auto write = [](c10::Device where) {
    const auto base = block(where);
    GetParam().make(base).zero_();
    return base;
  };
  EXPECT_TRUE(alike([&] { return write(at::kCPU); }, [&] { return write(device()); }));
  EXPECT_FALSE(same_bits(block(at::kCPU), write(device())) && std::string(GetParam().name) != "expand");
}

INSTANTIATE_TEST_SUITE_P(All, Views, testing::ValuesIn(kViews),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ViewErrors, AreTheCpus) {
  const auto both = [](const std::function<void(const at::Tensor&)>& view) {
    return throw_alike([&] { view(block(at::kCPU)); }, [&] { view(block(device())); });
  };
  EXPECT_TRUE(both([](const at::Tensor& x) { x.view({5, 5}); }));
  EXPECT_TRUE(both([](const at::Tensor& x) { x.permute({2, 1, 0}).view({24}); }));
  EXPECT_TRUE(both([](const at::Tensor& x) { x.as_strided({100}, {1}); }));
  EXPECT_TRUE(both([](const at::Tensor& x) { x.as_strided({2}, {-1}); }));
  EXPECT_TRUE(both([](const at::Tensor& x) { x.as_strided({2}, {1}, -3); }));
  EXPECT_TRUE(both([](const at::Tensor& x) { x.view({-1, -1}); }));
}

TEST(LocalScalar, ReadsEveryDtype) {
  for (const auto dtype : all_dtypes()) {
    const auto x = values({5, 6}, dtype);
    const auto cpu = error_of([&] { static_cast<void>(x[2][3].item()); });
    ASSERT_EQ(cpu, "") << dtype;
    const auto scalar = x.to(device())[2][3].item();
    EXPECT_TRUE(same_bits(x[2][3], at::scalar_tensor(scalar, dtype == at::kUInt64 ? at::kUInt64 : dtype))) << dtype;
  }
}

TEST(LocalScalar, TakesOneElementOnly) {
  EXPECT_EQ(at::full({1, 1}, 4, device()).item<int>(), 4);
  EXPECT_TRUE(throw_alike([] { static_cast<void>(at::ones({2}).item()); },
                          [] { static_cast<void>(at::ones({2}, device()).item()); }));
  EXPECT_TRUE(throw_alike([] { static_cast<void>(at::ones({0}).item()); },
                          [] { static_cast<void>(at::ones({0}, device()).item()); }));
}

TEST(LocalScalar, HonoursConjugateAndNegativeBits) {
  const auto z = at::scalar_tensor(c10::complex<double>(1, 2), at::kComplexDouble).to(device());
  EXPECT_EQ(z.conj().item<c10::complex<double>>(), c10::complex<double>(1, -2));
  EXPECT_EQ(at::imag(z.conj()).item<double>(), -2);
  EXPECT_EQ(at::_efficientzerotensor({}, at::device(device())).item<float>(), 0);
}

}  // namespace
}  // namespace openreg::test
