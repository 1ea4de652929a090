#include <gtest/gtest.h>
#include <openreg/host_view.h>
#include <openreg/memory.h>
#include <openreg/openreg.h>
#include <openreg/random.h>
#include <openreg/stream.h>
#include <torch/torch.h>

#include <sstream>

#include "device/driver/driver.h"
#include "device/runtime.h"
#include "fallback/host_session.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

// openreg on another driver, with no change outside the driver's folder. docs/bring_up.md names these tests: one for
// each step of bringing up a device.
namespace openreg::test {
namespace {

TEST(BringUp, DevicesAreThere) {
  EXPECT_EQ(device_count(), 1);
  driver::DeviceProperties properties{};
  ASSERT_EQ(driver::device_properties(0, &properties), driver::Status::success);
  EXPECT_STREQ(properties.name, "tiny");
  EXPECT_EQ(fallback::host_access(), fallback::HostAccess::staged);
  const std::string first = std::string(device::kBackendName) + ":0";
  EXPECT_EQ(device().str(), first);
  EXPECT_TRUE(throws([] { at::empty({2}, device(1)); }, "there is 1 device (" + first + " to " + first + ")"));
}

TEST(BringUp, TheDeviceHasItsName) {
  const std::string name = device::kBackendName;
  EXPECT_EQ(c10::get_privateuse1_backend(), name);
  EXPECT_EQ(c10::Device(name + ":0"), device());
  EXPECT_EQ(parse_device(name + ":0").str(), name + ":0");
  EXPECT_TRUE(throws([&] { parse_device(name + ":1"); }, "use '" + name + "' or '" + name + ":0'"));
}

TEST(BringUp, MemoryIsHandedOutCountedAndGivenBack) {
  const auto before = memory_statistics();
  {
    const auto x = at::empty({1000}, device());
    EXPECT_GE(memory_statistics().allocated, before.allocated + 4000);
  }
  EXPECT_EQ(memory_statistics().allocated, before.allocated);
}

TEST(BringUp, MemoryThatIsUsedUpIsAnError) {
  EXPECT_THROW(at::empty({std::int64_t{1} << 40}, device()), c10::OutOfMemoryError);
}

TEST(BringUp, CopiesGoInAndOut) {
  const auto x = at::arange(200000, at::kInt);
  EXPECT_TRUE(same_bits(x, x.to(device()).cpu()));
  EXPECT_TRUE(same_bits(x, x.to(device()).clone().cpu()));
  const auto grid = at::arange(60).view({6, 10});
  EXPECT_TRUE(same_bits(grid.t().slice(0, 1, 8, 3), grid.to(device()).t().slice(0, 1, 8, 3).cpu()));
}

TEST(BringUp, HostCodeCannotReachTheMemory) {
  const auto x = at::ones({4}, device());
  EXPECT_DEATH(static_cast<void>(*static_cast<volatile float*>(x.data_ptr())), "");
}

TEST(BringUp, OperatorsRunThroughTheFallback) {
  const auto a = at::arange(12, at::kFloat).view({3, 4});
  const auto d = a.to(device());
  EXPECT_TRUE(same_bits(at::mm(a, a.t()), at::mm(d, d.t())));
  EXPECT_TRUE(same_bits(at::softmax(a, 1), at::softmax(d, 1)));
  EXPECT_TRUE(same_bits(at::abs(a.neg()), at::abs(d.neg())));
  auto view = d.clone();
  view.select(1, 2).fill_(7);
  EXPECT_EQ(view.eq(7).sum().item<int>(), 4);  // the column, where 7 was already
}

TEST(BringUp, HostViewsSeeAndChangeTheBytes) {
  auto x = at::ones({3}, device());
  {
    MutableHostView view(x);
    view.tensor().mul_(4);
  }
  EXPECT_TRUE(same_bits(at::full({3}, 4.0f), x));
}

TEST(BringUp, StreamsAndEventsAreInOrder) {
  const auto stream = new_stream();
  auto x = at::zeros({2}, device());
  launch(stream, [&] { x.add_(1); });
  c10::Event event(c10::DeviceType::PrivateUse1);
  event.record(stream);
  event.synchronize();
  EXPECT_TRUE(same_bits(at::ones({2}), x));
  launch(stream, [] { throw std::runtime_error("a task failed"); });
  EXPECT_TRUE(throws([] { synchronize(); }, "a task failed"));
}

TEST(BringUp, PinnedMemoryIsTheDrivers) {
  const auto pinned = at::arange(5).pin_memory();
  EXPECT_TRUE(pinned.is_pinned());
  EXPECT_TRUE(same_bits(pinned, pinned.to(device(), true)));
}

TEST(BringUp, GradientsAreTheCpus) {
  const auto gradient = [](c10::Device where) {
    auto x = at::arange(6, at::kFloat).view({2, 3}).to(where).set_requires_grad(true);
    (at::conv1d(x.unsqueeze(0), at::ones({1, 2, 2}, where)).exp() + x.sum()).sum().backward();
    return x.grad();
  };
  EXPECT_TRUE(same_bits(gradient(at::kCPU), gradient(device())));
}

TEST(BringUp, RandomNumbersAreTheCpus) {
  manual_seed(5);
  auto generator = at::make_generator<at::CPUGeneratorImpl>(5);
  EXPECT_TRUE(same_bits(at::empty({50}).normal_(0, 1, generator), at::empty({50}, device()).normal_()));
}

TEST(BringUp, FilesAreReadAndWritten) {
  std::stringstream file;
  const auto x = at::rand({4, 2}, device());
  torch::save(x, file);
  at::Tensor loaded;
  torch::load(loaded, file);
  EXPECT_EQ(loaded.device(), device());
  EXPECT_TRUE(same_bits(x, loaded));
}

}  // namespace
}  // namespace openreg::test
