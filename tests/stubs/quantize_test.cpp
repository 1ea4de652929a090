#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <torch/torch.h>

#include <cmath>
#include <limits>

#include "support/alike.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/ledger.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

at::Tensor numbers() {
  auto x = at::arange(60, at::kFloat).sub(30).mul(1.37);
  const double special[] = {kInfinity, -kInfinity, std::nan(""), -0.0, 1e30, -1e30, 1e-30, 0.5, -0.5, 2.5};
  for (std::int64_t i = 0; i < 10; ++i) x[6 * i] = special[i];
  return x.view({3, 4, 5});
}

using View = at::Tensor (*)(const at::Tensor&);

const std::vector<std::pair<const char*, View>>& views() {
  static const std::vector<std::pair<const char*, View>> all{
      {"contiguous", [](const at::Tensor& x) { return x; }},
      {"transposed", [](const at::Tensor& x) { return x.transpose(0, 2); }},
      {"sliced", [](const at::Tensor& x) { return x.slice(2, 1, 5, 2); }},
      {"expanded",
       [](const at::Tensor& x) {
         return x.narrow(0, 1, 1).expand({3, 4, 5});
       }},
      {"0-dim", [](const at::Tensor& x) { return x.select(0, 1).select(0, 2).select(0, 3); }},
      {"empty", [](const at::Tensor& x) { return x.narrow(1, 0, 0); }},
      {"channels last", [](const at::Tensor& x) { return x.unsqueeze(0).contiguous(at::MemoryFormat::ChannelsLast); }},
  };
  return all;
}

class Quantize : public testing::TestWithParam<at::ScalarType> {};

TEST_P(Quantize, EqualsTheCpuForEveryScaleZeroPointAndLayout) {
  const auto x = numbers();
  const auto x_device = x.to(device());
  for (const double scale : {0.1, 1.0, 3.0, 1e-6, 1e6, 1e-30, 1e-300, 1e300, 0.0, -0.1, kInfinity, std::nan("")}) {
    for (const std::int64_t zero_point : {0, 3, -128, 127, 255, 256, -129, 1 << 30}) {
      for (const auto& [name, made] : views()) {
        SCOPED_TRACE(std::string(name) + " scale " + std::to_string(scale) + " zero " + std::to_string(zero_point));
        const auto& view = made;
        const auto quantize = [&](const at::Tensor& base) {
          return at::quantize_per_tensor(view(base), scale, zero_point, GetParam());
        };
        EXPECT_TRUE(alike([&] { return quantize(x).int_repr(); }, [&] { return quantize(x_device).int_repr(); }));
        EXPECT_TRUE(alike([&] { return quantize(x).dequantize(); }, [&] { return quantize(x_device).dequantize(); }));
      }
    }
  }
}

TEST_P(Quantize, RunsTheStub) {
  const auto x = numbers().to(device());
  const LedgerScope scope;
  at::quantize_per_tensor(x, 0.1, 1, GetParam());
  EXPECT_TRUE(ran_by(scope, "aten::quantize_per_tensor", Way::stub));
}

TEST_P(Quantize, TensorsCanBeReadCopiedViewedAndPrinted) {
  const auto q = at::quantize_per_tensor(numbers(), 0.2, 4, GetParam());
  const auto d = at::quantize_per_tensor(numbers().to(device()), 0.2, 4, GetParam());
  const auto same = [](const at::Tensor& want, const at::Tensor& got) {
    return same_on_device(want.int_repr(), got.int_repr());
  };
  EXPECT_EQ(d.device(), device());
  EXPECT_EQ(d.scalar_type(), GetParam());
  EXPECT_EQ(d.q_scale(), q.q_scale());
  EXPECT_EQ(d.q_zero_point(), q.q_zero_point());
  EXPECT_EQ(d.qscheme(), q.qscheme());
  EXPECT_TRUE(same_bits(q.int_repr(), d.cpu().int_repr()));
  EXPECT_TRUE(same(q, q.to(device())));
  EXPECT_TRUE(same(q, d.clone()));
  EXPECT_TRUE(same(q.view({12, 5}), d.view({12, 5})));
  EXPECT_TRUE(same(q.transpose(0, 1), d.transpose(0, 1)));
  EXPECT_TRUE(same(q.select(0, 1), d.select(0, 1)));
  auto copied = at::empty_like(d);
  copied.copy_(d);
  EXPECT_TRUE(same(q, copied));
  std::ostringstream on_cpu;
  std::ostringstream on_device;
  on_cpu << q;
  on_device << d;
  EXPECT_TRUE(contains(on_device.str(), on_cpu.str().substr(0, on_cpu.str().find('['))));
  EXPECT_TRUE(throws([&] { at::relu(d); }, "not implemented for quantized tensors"));
  EXPECT_TRUE(throws([&] { at::relu(d); }, "aten::relu"));
}

INSTANTIATE_TEST_SUITE_P(Dtypes, Quantize, testing::Values(at::kQInt8, at::kQUInt8, at::kQInt32),
                         [](const auto& test) { return std::string(c10::toString(test.param)); });

TEST(QuantizeDevice, StaysOnTheTensorsDevice) {
  const auto q = at::quantize_per_tensor(at::ones({3}, device(1)), 0.1, 0, at::kQInt8);
  EXPECT_EQ(q.device(), device(1));
  EXPECT_EQ(q.dequantize().device(), device(1));
}

TEST(QuantizeErrors, AreTheCpus) {
  const auto both = [](at::ScalarType from, at::ScalarType to) {
    return throw_alike([&] { at::quantize_per_tensor(at::ones({2}, from), 0.1, 0, to); },
                       [&] { at::quantize_per_tensor(at::ones({2}, from).to(device()), 0.1, 0, to); });
  };
  EXPECT_TRUE(both(at::kFloat, at::kFloat));
  EXPECT_TRUE(both(at::kDouble, at::kQInt8));
  EXPECT_TRUE(both(at::kLong, at::kQUInt8));
}

TEST(QuantizeErrors, OtherKindsAreRefusedByName) {
  const auto x = at::ones({2, 2}, device());
  for (const auto dtype : {at::kQUInt4x2, at::kQUInt2x4}) {
    EXPECT_TRUE(throws([&] { at::quantize_per_tensor(x, 0.1, 0, dtype); },
                       std::string("'aten::quantize_per_tensor' is not implemented for ") + c10::toString(dtype)));
  }
  const auto scales = at::full({2}, 0.1).to(device());
  const auto zeros = at::zeros({2}, at::kLong).to(device());
  EXPECT_TRUE(
      throws([&] { at::quantize_per_channel(x, scales, zeros, 0, at::kQInt8); },
             "aten::quantize_per_channel gives a quantized result of type QInt8 and scheme per_channel_affine"));
}

}  // namespace
}  // namespace openreg::test
