#include <gtest/gtest.h>
#include <torch/torch.h>

#include <functional>

#include "autograd/gradients.h"
#include "support/compare.h"
#include "support/samples.h"

// Whatever runs forward on the device must also learn there.
namespace openreg::test {
namespace {

at::Tensor numbers(at::IntArrayRef shape, double step = 0.37) {
  return (at::arange(c10::multiply_integers(shape), at::kDouble) * step).sin().to(at::kFloat).view(shape);
}

TEST(Layers, Convolutions) {
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::conv1d(t[0], t[1], t[2], 2, 1); },
                             {numbers({2, 3, 9}), numbers({4, 3, 3}), numbers({4})}));
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::conv2d(t[0], t[1], t[2], 1, 1); },
                             {numbers({2, 3, 8, 8}), numbers({4, 3, 3, 3}), numbers({4})}));
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::conv2d(t[0], t[1], {}, 1, 1, 2, 2); },
                             {numbers({2, 4, 9, 9}), numbers({6, 2, 3, 3})}));
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::conv2d(t[0], t[1], t[2], 1, 1, 1, 4); },
                             {numbers({1, 4, 6, 6}), numbers({4, 1, 3, 3}), numbers({4})}));
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::conv3d(t[0], t[1], t[2]); },
                             {numbers({1, 2, 5, 5, 5}), numbers({3, 2, 2, 2, 2}), numbers({3})}));
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::conv_transpose2d(t[0], t[1], t[2], 2, 1, 1); },
                             {numbers({2, 3, 5, 5}), numbers({3, 4, 3, 3}), numbers({4})}));
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::conv1d(t[0].to(at::kDouble), t[1].to(at::kDouble)); },
                             {numbers({2, 3, 9}), numbers({4, 3, 3})}));
}

TEST(Layers, ConvolutionTwice) {
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::conv2d(t[0], t[1], t[2], 1, 1).tanh(); },
                             {numbers({2, 3, 6, 6}), numbers({4, 3, 3, 3}), numbers({4})}, 1e-4, 2));
}

// Weights of a recurrent layer of one layer: input 3, hidden 4, `gates` gates.
Tensors recurrent_inputs(int gates, bool two_states, bool bidirectional = false) {
  const int directions = bidirectional ? 2 : 1;
  Tensors result{numbers({5, 2, 3}), numbers({directions, 2, 4})};
  if (two_states) result.push_back(numbers({directions, 2, 4}, 0.7));
  for (int i = 0; i < directions; ++i) {
    result.insert(result.end(), {numbers({4 * gates, 3}), numbers({4 * gates, 4}), numbers({4 * gates}, 0.2 + i),
                                 numbers({4 * gates}, 0.9)});
  }
  return result;
}

Tensors rest(const Tensors& tensors, std::size_t first) {
  return {tensors.begin() + static_cast<long>(first), tensors.end()};
}

TEST(Layers, Lstm) {
  for (const bool bidirectional : {false, true}) {
    const auto forward = [=](const Tensors& t) {
      const auto [output, h, c] = at::lstm(t[0], {t[1], t[2]}, rest(t, 3), true, 1, 0, true, bidirectional, false);
      return at::cat({output.flatten(), h.flatten(), c.flatten()});
    };
    EXPECT_TRUE(same_gradients(forward, recurrent_inputs(4, true, bidirectional), 1e-5));
  }
}

TEST(Layers, Gru) {
  for (const bool bidirectional : {false, true}) {
    const auto forward = [=](const Tensors& t) {
      const auto [output, h] = at::gru(t[0], t[1], rest(t, 2), true, 1, 0, true, bidirectional, false);
      return at::cat({output.flatten(), h.flatten()});
    };
    EXPECT_TRUE(same_gradients(forward, recurrent_inputs(3, false, bidirectional), 1e-5));
  }
}

// Sequences of different lengths; the lengths stay on the CPU.
TEST(Layers, PackedSequences) {
  const auto forward = [](const Tensors& t) {
    const auto lengths = at::tensor({5, 3, 2}, at::kLong);
    const auto [data, batch_sizes] = at::_pack_padded_sequence(t[0], lengths, false);
    const auto h = at::zeros({1, 3, 4}, t[0].options());
    const auto [output, hn, cn] =
        at::lstm(data, batch_sizes, {h, h}, {t[1], t[2], t[3], t[4]}, true, 1, 0, true, false);
    const auto [padded, sizes] = at::_pad_packed_sequence(output, batch_sizes, false, 0.5, 5);
    EXPECT_TRUE(at::equal(sizes, lengths));
    return at::cat({padded.flatten(), hn.flatten(), cn.flatten()});
  };
  EXPECT_TRUE(same_gradients(
      forward, {numbers({5, 3, 2}), numbers({16, 2}), numbers({16, 4}), numbers({16}), numbers({16}, 0.3)}, 1e-5));
}

TEST(Layers, ElmanNetwork) {
  const auto forward = [](const Tensors& t) {
    return std::get<0>(at::rnn_tanh(t[0], t[1], rest(t, 2), true, 1, 0, true, false, false));
  };
  EXPECT_TRUE(same_gradients(forward, recurrent_inputs(1, false), 1e-5));
}

TEST(Layers, RecurrentCellsThatNeedNoBias) {
  EXPECT_TRUE(same_gradients(
      [](const Tensors& t) {
        return std::get<0>(at::lstm_cell(t[0], {t[1], t[2]}, t[3], t[4]));
      },
      {numbers({2, 3}), numbers({2, 4}), numbers({2, 4}, 0.7), numbers({16, 3}), numbers({16, 4})}, 1e-5));
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::gru_cell(t[0], t[1], t[2], t[3]); },
                             {numbers({2, 3}), numbers({2, 4}), numbers({12, 3}), numbers({12, 4})}, 1e-5));
}

// The modules hold their weights a second time, in a flat list that must follow the parameters to the device.
void expect_same_learning(torch::nn::Module& module, const std::function<at::Tensor(const at::Tensor&)>& forward,
                          const at::Tensor& input) {
  const auto learn = [&](c10::Device where) {
    module.to(where);
    module.zero_grad();
    const auto x = input.clone().to(where).requires_grad_();
    const auto output = forward(x);
    (output * numbers(output.sizes(), 0.6).to(where)).sum().backward();
    Tensors all{output.detach(), x.grad()};
    for (const auto& parameter : module.parameters()) all.push_back(parameter.grad());
    return all;
  };
  const auto expected = learn(at::kCPU);
  const auto actual = learn(device(1));
  ASSERT_EQ(expected.size(), actual.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(actual[i].device(), device(1)) << i;
    EXPECT_TRUE(close_to(expected[i], actual[i], 1e-5)) << i;
  }
}

TEST(RecurrentModules, LearnAsOnTheCpu) {
  torch::manual_seed(3);
  const auto x = numbers({3, 2, 4});
  torch::nn::LSTM lstm(4, 5);
  torch::nn::LSTM deep(torch::nn::LSTMOptions(4, 5).num_layers(2).bidirectional(true).batch_first(true).proj_size(3));
  torch::nn::GRU gru(torch::nn::GRUOptions(4, 5).num_layers(2).bidirectional(true).batch_first(true));
  torch::nn::RNN elman(4, 5);
  const auto joined = [](const auto& result) {
    const auto& [output, state] = result;
    const auto& [h, c] = state;
    return at::cat({output.flatten(), h.flatten(), c.flatten()});
  };
  const auto both = [](const auto& result) {
    return at::cat({std::get<0>(result).flatten(), std::get<1>(result).flatten()});
  };
  expect_same_learning(
      *lstm, [&](const at::Tensor& t) { return joined(lstm(t)); }, x);
  expect_same_learning(
      *deep, [&](const at::Tensor& t) { return joined(deep(t)); }, x);
  expect_same_learning(
      *gru, [&](const at::Tensor& t) { return both(gru(t)); }, x);
  expect_same_learning(
      *elman, [&](const at::Tensor& t) { return both(elman(t)); }, x);
}

TEST(RecurrentModules, CellsLearnAsOnTheCpu) {
  torch::manual_seed(3);
  const auto x = numbers({2, 4});
  torch::nn::LSTMCell lstm(4, 5);
  torch::nn::GRUCell gru(4, 5);
  torch::nn::RNNCell elman(4, 5);
  const auto joined = [](const auto& state) { return at::cat({std::get<0>(state), std::get<1>(state)}); };
  expect_same_learning(
      *lstm, [&](const at::Tensor& t) { return joined(lstm(t, lstm(t))); }, x);
  expect_same_learning(
      *gru, [&](const at::Tensor& t) { return gru(t, gru(t)); }, x);
  expect_same_learning(
      *elman, [&](const at::Tensor& t) { return elman(t, elman(t)); }, x);
}

TEST(RecurrentModules, PackedSequencesLearnAsOnTheCpu) {
  namespace rnn = torch::nn::utils::rnn;
  torch::manual_seed(3);
  const auto x = numbers({5, 3, 4});
  const auto lengths = at::tensor({3, 5, 2}, at::kLong);
  torch::nn::LSTM lstm(torch::nn::LSTMOptions(4, 5).bidirectional(true));
  torch::nn::GRU gru(4, 5);
  const auto run = [&](auto& layer, const at::Tensor& t) {
    const auto packed = rnn::pack_padded_sequence(t, lengths, false, /*enforce_sorted=*/false);
    return std::get<0>(rnn::pad_packed_sequence(std::get<0>(layer->forward_with_packed_input(packed))));
  };
  expect_same_learning(
      *lstm, [&](const at::Tensor& t) { return run(lstm, t); }, x);
  expect_same_learning(
      *gru, [&](const at::Tensor& t) { return run(gru, t); }, x);
  const auto packed = rnn::pack_padded_sequence(x, lengths, false, /*enforce_sorted=*/false);
  const auto moved = packed.to(at::TensorOptions().device(device(1)));
  EXPECT_TRUE(same_on_device(packed.data(), moved.data()));
  EXPECT_TRUE(same_on_device(packed.sorted_indices(), moved.sorted_indices()));
  EXPECT_TRUE(moved.batch_sizes().is_cpu());
}

TEST(Layers, Attention) {
  const Tensors inputs{numbers({2, 2, 6, 8}), numbers({2, 2, 6, 8}, 0.71), numbers({2, 2, 6, 8}, 0.13)};
  for (const bool causal : {false, true}) {
    EXPECT_TRUE(same_gradients(
        [=](const Tensors& t) { return at::scaled_dot_product_attention(t[0], t[1], t[2], {}, 0, causal); }, inputs,
        1e-5));
  }
  auto masked = inputs;
  masked.push_back(numbers({6, 6}));
  EXPECT_TRUE(
      same_gradients([](const Tensors& t) { return at::scaled_dot_product_attention(t[0], t[1], t[2], t[3].detach()); },
                     masked, 1e-5));
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::scaled_dot_product_attention(t[0], t[1], t[2], t[3]); },
                             masked, 1e-5));
}

// The layer itself, with the parameters' gradients, since its code has paths that the functions above do not take.
TEST(Layers, MultiheadAttentionAndTransformer) {
  torch::manual_seed(3);
  torch::nn::TransformerEncoderLayer layer(
      torch::nn::TransformerEncoderLayerOptions(8, 2).dim_feedforward(16).dropout(0));
  const auto copy =
      std::dynamic_pointer_cast<torch::nn::TransformerEncoderLayerImpl>(layer->clone(c10::Device("openreg")));
  const auto input = numbers({5, 2, 8});
  layer->forward(input).square().sum().backward();
  copy->forward(input.to(c10::Device("openreg"))).square().sum().backward();
  for (const auto& item : layer->named_parameters()) {
    const auto gradient = copy->named_parameters()[item.key()].grad();
    EXPECT_TRUE(at::allclose(item.value().grad(), gradient.cpu(), 1e-4, 1e-5)) << item.key();
  }
}

TEST(Layers, Normalisations) {
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::layer_norm(t[0], {6}, t[1], t[2]); },
                             {numbers({4, 6}), numbers({6}), numbers({6}, 0.5)}));
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::group_norm(t[0], 2, t[1], t[2]); },
                             {numbers({2, 4, 5}), numbers({4}), numbers({4}, 0.5)}));
  EXPECT_TRUE(
      same_gradients([](const Tensors& t) { return at::batch_norm(t[0], t[1], t[2], {}, {}, true, 0.1, 1e-5, false); },
                     {numbers({4, 3, 5}), numbers({3}), numbers({3}, 0.5)}));
}

TEST(Layers, PoolingAndActivations) {
  const Tensors image{numbers({2, 3, 8, 8})};
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::max_pool2d(t[0], 2); }, image));
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::avg_pool2d(t[0], 3, 2, 1); }, image));
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::adaptive_avg_pool2d(t[0], {3, 3}); }, image));
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::upsample_bilinear2d(t[0], {12, 12}, false); }, image));
  EXPECT_TRUE(
      same_gradients([](const Tensors& t) { return at::gelu(t[0]) + at::silu(t[0]).sigmoid() + t[0].abs(); }, image));
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::log_softmax(t[0].flatten(1), 1); }, image));
}

TEST(Layers, EmbeddingIndexingAndLosses) {
  const auto words = at::tensor({3, 1, 3, 0}, at::kLong);
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::embedding(t[0], t[1]); }, {numbers({5, 4}), words}));
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::index(t[0], {t[1]}); }, {numbers({5, 4}), words}));
  EXPECT_TRUE(
      same_gradients([](const Tensors& t) { return at::cross_entropy_loss(t[0], t[1]); }, {numbers({4, 5}), words}));
  EXPECT_TRUE(same_gradients(
      [](const Tensors& t) {
        return at::cat({t[0].t(), t[0].narrow(1, 1, 2).t()});
      },
      {numbers({5, 4})}));
}

TEST(Layers, DropoutDrawsTheSameInBothDirections) {
  const auto x = at::ones({64}, c10::Device("openreg")).requires_grad_();
  const auto y = at::dropout(x, 0.5, true);
  y.sum().backward();
  EXPECT_TRUE(at::equal(y.detach(), x.grad()));
  EXPECT_GT((y == 0).sum().item<int>(), 0);
}

TEST(Layers, GradientsTwice) {
  const Tensors inputs{numbers({3, 4}), numbers({4, 2})};
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::softmax(t[0].matmul(t[1]).tanh(), 1); }, inputs, 0, 2));
  EXPECT_TRUE(same_gradients([](const Tensors& t) { return at::layer_norm(t[0], {4}).exp(); }, inputs, 1e-5, 2));
}

}  // namespace
}  // namespace openreg::test
