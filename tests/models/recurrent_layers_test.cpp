#include <gtest/gtest.h>
#include <openreg/fallback.h>
#include <torch/torch.h>

#include <vector>

#include "support/compare.h"
#include "support/ledger.h"
#include "support/samples.h"

// See Note [Recurrent layers as a whole].
namespace openreg::test {
namespace {

struct Layers {
  std::vector<at::Tensor> parameters;
  at::Tensor input = at::randn({5, 2, 3});
  at::Tensor hidden = at::randn({4, 2, 4});  // two layers, two directions
  at::Tensor cells = at::randn({4, 2, 4});
  double dropout = 0;

  Layers() {
    for (const std::int64_t inputs : {3, 3, 8, 8}) {
      parameters.insert(parameters.end(), {at::randn({16, inputs}), at::randn({16, 4}), at::randn(16), at::randn(16)});
    }
  }
  Layers on(c10::Device where) const {
    auto result = *this;
    for (auto* tensor : {&result.input, &result.hidden, &result.cells}) *tensor = tensor->to(where);
    for (auto& tensor : result.parameters) tensor = tensor.to(where);
    return result;
  }
  std::tuple<at::Tensor, at::Tensor, at::Tensor> run() const {
    return at::lstm(input, {hidden, cells}, parameters, true, 2, dropout, /*train=*/true, true, false);
  }
};

void expect_the_cpus_bits(const Layers& layers) {
  const auto [output, hidden, cells] = layers.run();
  const auto [device_output, device_hidden, device_cells] = layers.on(device()).run();
  EXPECT_TRUE(same_bits(output, device_output));
  EXPECT_TRUE(same_bits(hidden, device_hidden));
  EXPECT_TRUE(same_bits(cells, device_cells));
}

template <typename Layer>
void expect_cell_by_cell(Layer layer, const char* cell, const char* whole) {
  layer.parameters[1].requires_grad_();
  const LedgerScope ledger;
  std::get<0>(layer.run()).sum().backward();
  EXPECT_TRUE(layer.parameters[1].grad().defined());
  EXPECT_TRUE(ran_by(ledger, cell, Way::native));
  EXPECT_TRUE(never_ran(ledger, whole));
}

TEST(Lstm, RunsAsAWholeWhereNobodyNeedsItsParts) {
  const Layers layers;
  const LedgerScope ledger;
  expect_the_cpus_bits(layers);
  {
    const at::InferenceMode inference;
    expect_the_cpus_bits(layers);
  }
  EXPECT_TRUE(ran_by(ledger, "aten::lstm.input", Way::native));
  EXPECT_TRUE(never_ran(ledger, "aten::_thnn_fused_lstm_cell"));
}

TEST(Lstm, ParametersThatWantGradientsDoNotMatterUnderNoGrad) {
  Layers layers;
  for (auto& parameter : layers.parameters) parameter.requires_grad_();
  const at::NoGradGuard no_grad;
  const LedgerScope ledger;
  expect_the_cpus_bits(layers);
  EXPECT_TRUE(never_ran(ledger, "aten::_thnn_fused_lstm_cell"));
}

TEST(Lstm, RunsCellByCellForAGradient) {
  expect_cell_by_cell(Layers().on(device()), "aten::_thnn_fused_lstm_cell", "aten::lstm.input");
}

TEST(Lstm, DropsOutByTheDevicesGenerator) {
  auto layers = Layers().on(device());
  layers.dropout = 0.5;
  const auto before = at::detail::getDefaultCPUGenerator().get_state();
  const auto output = std::get<0>(layers.run());
  EXPECT_TRUE(at::equal(at::detail::getDefaultCPUGenerator().get_state(), before));
  EXPECT_FALSE(at::equal(output, std::get<0>(layers.run())));
}

TEST(Lstm, AStateOnTheCpuIsRefused) {
  auto layers = Layers().on(device());
  layers.hidden = layers.hidden.cpu();
  EXPECT_THROW(layers.run(), c10::Error);
}

struct GruLayer {
  at::Tensor input = at::randn({5, 2, 3});
  at::Tensor state = at::randn({1, 2, 4});
  std::vector<at::Tensor> parameters{at::randn({12, 3}), at::randn({12, 4}), at::randn(12), at::randn(12)};

  GruLayer on(c10::Device where) const {
    auto result = *this;
    for (auto* tensor : {&result.input, &result.state}) *tensor = tensor->to(where);
    for (auto& tensor : result.parameters) tensor = tensor.to(where);
    return result;
  }
  std::tuple<at::Tensor, at::Tensor> run() const {
    return at::gru(input, state, parameters, true, 1, 0, /*train=*/true, false, false);
  }
};

TEST(Gru, RunsAsAWholeWhereNobodyNeedsItsParts) {
  const GruLayer layer;
  const LedgerScope ledger;
  const auto [output, state] = layer.run();
  const auto [device_output, device_state] = layer.on(device()).run();
  EXPECT_TRUE(same_bits(output, device_output));
  EXPECT_TRUE(same_bits(state, device_state));
  EXPECT_TRUE(ran_by(ledger, "aten::gru.input", Way::native));
  EXPECT_TRUE(never_ran(ledger, "aten::_thnn_fused_gru_cell"));
}

TEST(Gru, RunsCellByCellForAGradient) {
  expect_cell_by_cell(GruLayer().on(device()), "aten::_thnn_fused_gru_cell", "aten::gru.input");
}

}  // namespace
}  // namespace openreg::test
