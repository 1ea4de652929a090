#include <gtest/gtest.h>
#include <openreg/random.h>
#include <torch/torch.h>

#include "random/draws.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

// What is drawn on openreg is what the CPU draws with the same seed, and neither moves the other.
namespace openreg::test {
namespace {

constexpr std::uint64_t kSeed = 20240229;

at::Tensor cpu_state() { return at::globalContext().defaultGenerator(at::kCPU).get_state(); }

void seed_cpu(std::uint64_t seed) {
  auto generator = at::globalContext().defaultGenerator(at::kCPU);
  const std::lock_guard lock(generator.mutex());
  generator.set_current_seed(seed);
}

at::Tensor drawn_by_cpu(const Draws::mapped_type& draw) {
  seed_cpu(kSeed);
  return draw(at::kCPU, std::nullopt);
}

at::Generator generator_of(c10::Device where, std::uint64_t seed) {
  auto generator = where.is_cpu() ? at::make_generator<at::CPUGeneratorImpl>() : make_generator(where.index());
  generator.set_current_seed(seed);
  return generator;
}

TEST(Random, EveryOperatorDrawsAsTheCpuWithTheSameSeed) {
  for (const auto* draws : {&draws_with_generator(), &draws_without_generator()}) {
    for (const auto& [name, draw] : *draws) {
      SCOPED_TRACE(name);
      const auto expected = drawn_by_cpu(draw);
      manual_seed(kSeed);
      EXPECT_TRUE(same_on_device(expected, draw(device(), std::nullopt)));
    }
  }
}

TEST(Random, DrawingOnTheDeviceNeverMovesTheCpusGenerator) {
  for (const auto* draws : {&draws_with_generator(), &draws_without_generator()}) {
    for (const auto& [name, draw] : *draws) {
      SCOPED_TRACE(name);
      const auto before = cpu_state();
      draw(device(), std::nullopt);
      EXPECT_TRUE(same_bits(before, cpu_state()));
    }
  }
}

TEST(Random, DrawingMovesTheDevicesGenerator) {
  for (const auto* draws : {&draws_with_generator(), &draws_without_generator()}) {
    for (const auto& [name, draw] : *draws) {
      SCOPED_TRACE(name);
      const auto before = default_generator().get_state();
      draw(device(), std::nullopt);
      EXPECT_FALSE(same_bits(before, default_generator().get_state()));
    }
  }
}

TEST(Random, AGeneratorOfTheCallersIsUsedAndNoOther) {
  for (const auto& [name, draw] : draws_with_generator()) {
    SCOPED_TRACE(name);
    const auto expected = draw(at::kCPU, generator_of(at::kCPU, 3));
    const auto before = default_generator().get_state();
    EXPECT_TRUE(same_on_device(expected, draw(device(), generator_of(device(), 3))));
    EXPECT_TRUE(same_bits(before, default_generator().get_state()));
  }
}

TEST(Random, AGeneratorOfAnotherDeviceIsRefusedByName) {
  for (const auto& [name, draw] : draws_with_generator()) {
    SCOPED_TRACE(name);
    const auto& run = draw;
    EXPECT_TRUE(throws([&] { run(device(), generator_of(device(1), 3)); },
                       "Expected a generator of openreg:0 but got one of openreg:1"));
    EXPECT_TRUE(throws([&] { run(device(), generator_of(at::kCPU, 3)); },
                       "Expected a generator of openreg:0 but got one of cpu"));
  }
}

TEST(Random, TheDevicesAreIndependent) {
  manual_seed_all(5);
  const auto alone = at::rand({10}, device(0)).cpu();
  manual_seed_all(5);
  at::rand({1000}, device(1));
  EXPECT_TRUE(same_bits(alone, at::rand({10}, device(0))));
  EXPECT_FALSE(same_bits(alone, at::rand({10}, device(1))));
}

TEST(Random, DropoutDrawsInTheOrderOfTheInputsMemory) {
  const auto x = at::ones({5, 7}).t();
  seed_cpu(kSeed);
  const auto expected = at::dropout(x, 0.4, true);
  const auto [native, mask] = at::native_dropout(x, 0.4, true);
  manual_seed(kSeed);
  const auto dx = at::ones({5, 7}, device()).t();
  EXPECT_TRUE(same_on_device(expected, at::dropout(dx, 0.4, true)));
  const auto [device_native, device_mask] = at::native_dropout(dx, 0.4, true);
  EXPECT_TRUE(same_on_device(native, device_native));
  EXPECT_TRUE(same_on_device(mask, device_mask));
  EXPECT_EQ(mask.strides(), device_mask.strides());
}

// libtorch draws the matrix on the CPU, wherever the tensor is.
TEST(Random, OrthogonalMatricesAreTheCpusToo) {
  seed_cpu(kSeed);
  const auto expected = torch::nn::init::orthogonal_(at::empty({3, 50}));
  seed_cpu(kSeed);
  EXPECT_TRUE(same_on_device(expected, torch::nn::init::orthogonal_(at::empty({3, 50}, device()))));
}

TEST(Random, StochasticLayersGiveTheCpusForwardAndBackward) {
  torch::nn::Sequential net(torch::nn::Linear(20, 30), torch::nn::Dropout(0.4), torch::nn::Linear(30, 2));
  const auto x = at::rand({6, 20});
  const auto gradient = [&](c10::Device where) {
    net->to(where);
    net->zero_grad();
    seed_cpu(9);
    manual_seed(9);
    net->forward(x.to(where)).sum().backward();
    return net->parameters()[0].grad().cpu();
  };
  const auto expected = gradient(at::kCPU);
  EXPECT_TRUE(same_bits(expected, gradient(device())));
}

}  // namespace
}  // namespace openreg::test
