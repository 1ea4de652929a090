#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <openreg/memory.h>
#include <openreg/openreg.h>
#include <torch/version.h>

#include <thread>

#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

TEST(Index, TheNameIsThatOfTheBackend) {
  EXPECT_EQ(c10::get_privateuse1_backend(), "openreg");
  EXPECT_EQ(at::Device("openreg:1"), device(1));
  EXPECT_EQ(at::ones({1}, at::Device("openreg")).device().str(), "openreg:0");
}

TEST(Index, ADeviceWithoutIndexIsTheCurrentOne) {
  const c10::DeviceGuard scope(device(1));
  EXPECT_EQ(at::ones({1}, at::Device("openreg")).device(), device(1));
  EXPECT_EQ(at::empty_strided({2}, {1}, at::Device("openreg")).device(), device(1));
  EXPECT_EQ(parse_device("openreg"), device(1));
}

TEST(Index, AFactoryRefusesAnIndexThatDoesNotExist) {
  const c10::DeviceGuard scope(device(1));
  for (const int index : {2, 44, 127}) {
    const auto text = "openreg:" + std::to_string(index) + " does not exist: there are 2 devices";
    EXPECT_TRUE(throws([&] { at::empty({2}, device(index)); }, text));
    EXPECT_TRUE(throws([&] { at::ones({2}, device(index)); }, text));
    EXPECT_TRUE(throws([&] { at::empty_strided({2}, {1}, device(index)); }, text));
    EXPECT_TRUE(throws([&] { at::ones({2}).to(device(index)); }, text));
    EXPECT_EQ(current_device(), 1);
  }
}

// c10 keeps 8 bits of an index: the error names the number that arrived and says so.
TEST(Index, AnIndexThatC10WrappedIsNamedAsItArrived) {
  const auto error = error_of([] { at::ones({2}, at::Device("openreg:300")); });
  EXPECT_TRUE(contains(error, "openreg:44 does not exist"));
  EXPECT_TRUE(contains(error, "c10 keeps a device index in 8 bits"));
}

TEST(Index, ParseDeviceChecksBeforeC10Wraps) {
  EXPECT_EQ(parse_device("openreg:1"), device(1));
  EXPECT_EQ(parse_device("openreg:0"), device(0));
  for (const char* bad :
       {"openreg:2", "openreg:300", "openreg:256", "openreg:-1", "openreg:", "openreg:x", "openreg:1x", "openreg: 1",
        "openreg:99999999999", "openregs", "cpu", "cuda:0", "", "OPENREG", ":0"}) {
    EXPECT_TRUE(throws([&] { parse_device(bad); }, "'" + std::string(bad) + "' is no device"));
    EXPECT_TRUE(throws([&] { parse_device(bad); }, "'openreg:0' to 'openreg:1'"));
  }
}

TEST(Index, InitIsIdempotentAndThreadsMayRace) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 100; ++i) init();
    });
  }
  for (auto& thread : threads) thread.join();
  init();
  EXPECT_EQ(device_count(), 2);
}

TEST(Index, SetCurrentDeviceChecksAndStays) {
  set_current_device(1);
  EXPECT_EQ(current_device(), 1);
  EXPECT_TRUE(throws([] { set_current_device(2); }, "openreg:2 does not exist"));
  EXPECT_TRUE(throws([] { set_current_device(-1); }, "does not exist"));
  EXPECT_EQ(current_device(), 1);
  set_current_device(0);
}

TEST(Index, SynchronizeTakesAValidIndexOnly) {
  synchronize();
  synchronize(1);
  EXPECT_TRUE(throws([] { synchronize(2); }, "openreg:2 does not exist"));
  EXPECT_TRUE(throws([] { memory_statistics(9); }, "openreg:9 does not exist"));
  EXPECT_TRUE(throws([] { reset_peak_memory(9); }, "openreg:9 does not exist"));
}

TEST(Index, VersionsAreThoseOfTheBuild) {
  EXPECT_STREQ(version(), "0.1.0");
  EXPECT_STREQ(libtorch_version(), TORCH_VERSION);
}

}  // namespace
}  // namespace openreg::test
