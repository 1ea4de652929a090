#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <gtest/gtest.h>
#include <openreg/openreg.h>

#include <thread>

#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

c10::impl::VirtualGuardImpl guard() { return c10::impl::VirtualGuardImpl(c10::DeviceType::PrivateUse1); }

TEST(Guard, ExchangeReturnsThePreviousDevice) {
  EXPECT_EQ(guard().deviceCount(), 2);
  EXPECT_EQ(guard().exchangeDevice(device(1)), device(0));
  EXPECT_EQ(guard().getDevice(), device(1));
  EXPECT_EQ(guard().exchangeDevice(device(0)), device(1));
  EXPECT_EQ(guard().getDevice(), device(0));
}

TEST(Guard, ScopesNestAndRestore) {
  {
    const c10::DeviceGuard outer(device(1));
    EXPECT_EQ(current_device(), 1);
    {
      const c10::DeviceGuard inner(device(0));
      EXPECT_EQ(current_device(), 0);
    }
    EXPECT_EQ(current_device(), 1);
  }
  EXPECT_EQ(current_device(), 0);
}

TEST(Guard, RestoresWhenAnExceptionPasses) {
  EXPECT_TRUE(throws(
      [] {
        const c10::DeviceGuard scope(device(1));
        TORCH_CHECK(false, "thrown inside");
      },
      "thrown inside"));
  EXPECT_EQ(current_device(), 0);
}

TEST(Guard, RefusesAnIndexThatDoesNotExistAndStays) {
  const c10::DeviceGuard scope(device(1));
  EXPECT_TRUE(throws([] { guard().setDevice(device(5)); }, "openreg:5 does not exist: there are 2 devices"));
  EXPECT_TRUE(throws([] { guard().exchangeDevice(device(7)); }, "openreg:7 does not exist: there are 2 devices"));
  EXPECT_TRUE(throws([] { const c10::DeviceGuard inner(device(3)); }, "openreg:3 does not exist"));
  EXPECT_EQ(current_device(), 1);
}

TEST(Guard, RefusesAnotherDeviceType) {
  EXPECT_TRUE(throws([] { guard().setDevice(c10::Device(c10::kCPU)); }, "Expected an openreg device, but got cpu"));
}

// Runs in destructors, where an exception would end the program.
TEST(Guard, UncheckedSetIgnoresABadIndex) {
  guard().uncheckedSetDevice(device(6));
  EXPECT_EQ(current_device(), 0);
}

TEST(Guard, EachThreadHasACurrentDeviceOfItsOwn) {
  const c10::DeviceGuard scope(device(1));
  int seen = -1;
  std::thread([&seen] { seen = current_device(); }).join();
  EXPECT_EQ(seen, 0);
  EXPECT_EQ(current_device(), 1);
}

}  // namespace
}  // namespace openreg::test
