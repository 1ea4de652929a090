#include <gtest/gtest.h>
#include <torch/script.h>
#include <torch/torch.h>

#include "serialization/save_and_load.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"
#include "support/script_modules.h"

namespace openreg::test {
namespace {

TEST(Tensors, ComeBackToTheirDevice) {
  for (const int index : {0, 1}) {
    const auto x = at::arange(6, at::kFloat).to(device(index));
    const auto loaded = save_and_load(x);
    EXPECT_EQ(loaded.device(), device(index));
    EXPECT_TRUE(same_bits(x, loaded));
  }
}

TEST(Tensors, GoWhereTheyAreWanted) {
  const auto cpu = at::arange(6, at::kFloat);
  EXPECT_TRUE(same_bits(cpu, save_and_load(cpu.to(device(1)), c10::Device(at::kCPU))));
  EXPECT_TRUE(save_and_load(cpu.to(device(1)), c10::Device(at::kCPU)).is_cpu());
  EXPECT_TRUE(same_on_device(cpu, save_and_load(cpu, device(0))));
  EXPECT_EQ(save_and_load(cpu.to(device(0)), device(1)).device(), device(1));
}

TEST(Tensors, KeepStridesOffsetsAndGradientFlags) {
  const auto base = at::arange(12, at::kFloat).view({3, 4}).to(device());
  const auto slice = base.narrow(1, 1, 2).t();
  const auto loaded = save_and_load(slice);
  EXPECT_EQ(loaded.strides(), slice.strides());
  EXPECT_EQ(loaded.storage_offset(), 1);
  EXPECT_TRUE(same_bits(slice, loaded));
  EXPECT_TRUE(save_and_load(at::ones({2}, device()).requires_grad_()).requires_grad());
}

TEST(Tensors, EveryDtype) {
  for (const auto dtype : all_dtypes()) {
    const auto x = values({5}, dtype);
    EXPECT_TRUE(same_on_device(x, save_and_load(x.to(device())))) << dtype;
  }
}

TEST(Tensors, EmptyAndZeroDimensional) {
  EXPECT_TRUE(same_on_device(at::zeros({0, 3}), save_and_load(at::zeros({0, 3}, device()))));
  EXPECT_TRUE(same_on_device(at::full({}, 3.0f), save_and_load(at::full({}, 3.0f, device()))));
}

TEST(Tensors, SharedStorageStaysShared) {
  const auto base = at::arange(6, at::kFloat).to(device());
  std::stringstream stream;
  torch::save(std::vector<at::Tensor>{base, base.narrow(0, 2, 2)}, stream);
  std::vector<at::Tensor> loaded;
  torch::load(loaded, stream);
  EXPECT_TRUE(shares_storage(loaded[0], loaded[1]));
  loaded[0].zero_();
  EXPECT_TRUE(same_on_device(at::zeros({2}), loaded[1]));
}

TEST(Tensors, PickleFormat) {
  const auto base = at::arange(6, at::kFloat).view({2, 3}).to(device(1));
  const auto value = torch::pickle_load(torch::pickle_save(base.narrow(1, 1, 2))).toTensor();
  EXPECT_EQ(value.device(), device(1));
  EXPECT_EQ(value.storage_offset(), 1);
  EXPECT_EQ(value.strides(), base.strides());
  EXPECT_TRUE(same_bits(base.narrow(1, 1, 2), value));
}

TEST(Tensors, ConjugatedAndNegatedOnesAreSavedAsTheyRead) {
  const auto z = values({4}, at::kComplexFloat);
  EXPECT_TRUE(same_bits(z.conj().resolve_conj(), save_and_load(z.to(device()).conj()).resolve_conj()));
}

TEST(Models, SaveFromTheDeviceAndLoadAnywhere) {
  torch::nn::Sequential network(torch::nn::Linear(3, 4), torch::nn::BatchNorm1d(4), torch::nn::ReLU());
  network->to(device(1));
  network->forward(at::ones({4, 3}, device(1)).cumsum(0));  // so that the buffers are not as at first
  std::stringstream stream;
  torch::save(network, stream);
  const auto bytes = stream.str();
  for (const auto& where : {device(0), device(1), c10::Device(at::kCPU)}) {
    torch::nn::Sequential loaded(torch::nn::Linear(3, 4), torch::nn::BatchNorm1d(4), torch::nn::ReLU());
    std::istringstream input(bytes);
    torch::load(loaded, input, where);
    for (const auto& item : network->named_parameters()) {
      EXPECT_EQ(loaded->named_parameters()[item.key()].device(), where);
      EXPECT_TRUE(same_bits(item.value().detach(), loaded->named_parameters()[item.key()].detach()));
    }
    for (const auto& item : network->named_buffers()) {
      EXPECT_TRUE(same_bits(item.value(), loaded->named_buffers()[item.key()])) << item.key();
    }
  }
}

TEST(Models, OptimizersKeepTheirState) {
  const auto step = [](torch::nn::Linear& layer, torch::optim::Optimizer& optimizer) {
    optimizer.zero_grad();
    layer(at::ones({1, 3}, device())).sum().backward();
    optimizer.step();
  };
  torch::nn::Linear layer(3, 2);
  layer->to(device());
  torch::optim::Adam optimizer(layer->parameters(), 0.1);
  step(layer, optimizer);
  std::stringstream weights;
  std::stringstream state;
  torch::save(layer, weights);
  torch::save(optimizer, state);
  torch::nn::Linear loaded(3, 2);
  torch::load(loaded, weights, device());
  torch::optim::Adam resumed(loaded->parameters(), 0.1);
  torch::load(resumed, state, device());
  step(layer, optimizer);
  step(loaded, resumed);
  EXPECT_TRUE(same_on_device(layer->weight.detach().cpu(), loaded->weight.detach()));
}

TEST(Models, ScriptFilesRememberTheDevice) {
  auto module = script_module();
  module.to(device(1));
  const auto bytes = bytes_of(module);
  const auto weight = [](const torch::jit::Module& loaded) {
    return loaded.attr("inner").toModule().attr("w").toTensor();
  };
  EXPECT_EQ(weight(from_bytes(bytes)).device(), device(1));
  EXPECT_EQ(weight(from_bytes(bytes, device(0))).device(), device(0));
  EXPECT_TRUE(weight(from_bytes(bytes, c10::Device(at::kCPU))).is_cpu());
  EXPECT_TRUE(same_bits(weight(script_module()), weight(from_bytes(bytes))));
}

}  // namespace
}  // namespace openreg::test
