#include <gtest/gtest.h>
#include <openreg/openreg.h>
#include <openreg/random.h>
#include <torch/torch.h>

#include <chrono>
#include <future>
#include <mutex>
#include <thread>

#include "device/generator.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

TEST(Generator, IsOfItsDevice) {
  EXPECT_EQ(default_generator(1).device(), device(1));
  EXPECT_EQ(make_generator(1).device(), device(1));
  EXPECT_EQ(at::globalContext().defaultGenerator(device(1)), default_generator(1));
  EXPECT_TRUE(throws([] { default_generator(7); }, "openreg:7 does not exist"));
  EXPECT_TRUE(throws([] { manual_seed(1, 7); }, "openreg:7 does not exist"));
}

TEST(Generator, TheDefaultOneIsThatOfTheCurrentDevice) {
  const c10::DeviceGuard guard(device(1));
  EXPECT_EQ(default_generator(), default_generator(1));
  manual_seed(77);
  EXPECT_EQ(default_generator(1).current_seed(), 77U);
}

TEST(Generator, ANewOneHasLibtorchsDefaultSeed) {
  EXPECT_EQ(make_generator().current_seed(), c10::default_rng_seed_val);
}

TEST(Generator, ASavedStateThatIsRestoredRepeats) {
  auto generator = make_generator();
  at::empty({100}, device()).normal_(0, 1, generator);
  const auto state = generator.get_state();
  const auto first = at::empty({33}, device()).normal_(0, 1, generator);
  generator.set_state(state);
  EXPECT_TRUE(same_bits(first, at::empty({33}, device()).normal_(0, 1, generator)));
}

TEST(Generator, AStateMovesBetweenDevicesAndTheCpu) {
  auto host = at::make_generator<at::CPUGeneratorImpl>(4);
  auto other = make_generator(1);
  other.set_state(host.get_state());
  EXPECT_TRUE(same_bits(at::empty({9}).uniform_(0, 1, host), at::empty({9}, device(1)).uniform_(0, 1, other)));
}

TEST(Generator, TheSameSeedGivesTheSameOnBothDevices) {
  manual_seed_all(12);
  const auto first = at::randn({50}, device(0));
  EXPECT_TRUE(same_on_device(first.cpu(), at::randn({50}, device(1))));
  EXPECT_FALSE(same_bits(first, at::randn({50}, device(1))));
}

TEST(Generator, AStateThatIsNoneIsRefused) {
  auto generator = make_generator();
  EXPECT_THROW(generator.set_state(at::zeros({3}, at::kByte)), c10::Error);
}

TEST(Generator, ACloneGoesOnByItself) {
  auto one = make_generator();
  one.set_current_seed(8);
  auto two = one.clone();
  EXPECT_EQ(two.device(), device());
  const auto drawn = at::empty({20}, device()).uniform_(0, 1, one);
  EXPECT_TRUE(same_bits(drawn, at::empty({20}, device()).uniform_(0, 1, two)));
}

TEST(Generator, SeedsAreReadBack) {
  manual_seed(1234, 1);
  EXPECT_EQ(default_generator(1).current_seed(), 1234U);
  manual_seed_all(99);
  EXPECT_EQ(default_generator(0).current_seed(), 99U);
  EXPECT_EQ(default_generator(1).current_seed(), 99U);
  auto generator = make_generator();
  const auto first = generator.seed();
  EXPECT_NE(first, generator.seed());  // from the system's entropy
}

TEST(Generator, OffsetsAreRefusedWithTheRemedy) {
  auto generator = make_generator();
  EXPECT_TRUE(throws([&] { generator.set_offset(4); }, "openreg generators have no offset: use set_state"));
  EXPECT_TRUE(throws([&] { generator.get_offset(); }, "openreg generators have no offset: use get_state"));
}

// Newer versions of libtorch seed an accelerator's devices too; openreg::manual_seed_all does it on every version.
TEST(Generator, LibtorchsManualSeedReachesAllDevicesOrNone) {
  manual_seed_all(1);
  torch::manual_seed(3);
  const auto seed = default_generator(0).current_seed();
  EXPECT_TRUE(seed == 3 || seed == 1) << seed;
  EXPECT_EQ(default_generator(1).current_seed(), seed);
  manual_seed_all(4);
  EXPECT_EQ(default_generator(0).current_seed(), 4U);
}

TEST(Generator, ThreadsDrawFromOneWithoutARace) {
  constexpr int kThreads = 4;
  constexpr int kDraws = 200;
  manual_seed(6);
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([] {
      for (int draw = 0; draw < kDraws; ++draw) at::rand({16}, device());
    });
  }
  for (auto& thread : threads) thread.join();
  const auto after = at::rand({16}, device());
  // In whatever order they drew, as many numbers are gone.
  manual_seed(6);
  for (int draw = 0; draw < kThreads * kDraws; ++draw) at::rand({16}, device());
  EXPECT_TRUE(same_bits(at::rand({16}, device()), after));
}

// Kernels hold the mutex of the generator that they draw from.
TEST(Generator, IsSeededOnlyWhileNoKernelDraws) {
  auto generator = make_generator();
  auto drawn_from = device::host_twin(generator, openreg::test::device(0));
  std::unique_lock drawing(drawn_from.mutex());
  auto seeding = std::async(std::launch::async, [&] { generator.set_current_seed(8); });
  EXPECT_EQ(seeding.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  drawing.unlock();
  seeding.get();
  EXPECT_EQ(generator.current_seed(), 8U);
}

}  // namespace
}  // namespace openreg::test
