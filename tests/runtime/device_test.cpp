#include <ATen/Context.h>
#include <gtest/gtest.h>
#include <openreg/openreg.h>
#include <torch/torch.h>

#include <atomic>
#include <thread>

#include "device/compat.h"
#include "device/guard.h"
#include "runtime/guard.h"
#include "support/compare.h"
#include "support/errors.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

TEST(Device, ThereAreTwo) {
  EXPECT_EQ(device_count(), 2);
  EXPECT_EQ(guard().deviceCount(), 2);
}

TEST(Device, EachCanBeMadeCurrent) {
  for (c10::DeviceIndex i = 0; i < device_count(); ++i) {
    set_current_device(i);
    EXPECT_EQ(current_device(), i);
  }
  set_current_device(0);
  EXPECT_EQ(current_device(), 0);
}

TEST(Device, AnEmptyOptionalGuardChangesNothing) {
  const c10::DeviceGuard outer(device(1));
  const c10::OptionalDeviceGuard none(std::nullopt);
  EXPECT_EQ(current_device(), 1);
  {
    const c10::OptionalDeviceGuard inner(device(0));
    EXPECT_EQ(current_device(), 0);
  }
  EXPECT_EQ(current_device(), 1);
}

TEST(Device, AnInvalidIndexIsNamedAndNothingChanges) {
  EXPECT_TRUE(throws([] { set_current_device(2); }, "openreg:2 does not exist: there are 2 devices"));
  EXPECT_TRUE(throws([] { at::empty({2}, device(5)); }, "openreg:5 does not exist"));
  EXPECT_EQ(current_device(), 0);
}

TEST(Device, CanHoldEveryDtype) {
  const auto& ours = static_cast<const openreg::compat::GuardBase&>(openreg::device::guard());
  const auto check = [&](auto capability) {
    if constexpr (requires { capability.capability_data; }) {
      EXPECT_EQ(capability.capability_data.capability_bits, decltype(capability)().capability_data.capability_bits);
      EXPECT_TRUE(capability.capability_data.supported_scalar_types.has_ComplexHalf);
      EXPECT_TRUE(capability.capability_data.supported_scalar_types.has_QInt8);
    }
  };
  check(ours.getDeviceCapability(device(0)));
  check(ours.getDeviceCapability(device(1)));
  EXPECT_TRUE(throws([&] { static_cast<void>(ours.getDeviceCapability(device(4))); }, "openreg:4 does not exist"));
}

TEST(Device, TensorsAreWhereTheyWereAskedFor) {
  const auto zero = at::randn({4, 4}, c10::Device("openreg"));
  const auto one = at::randn({4, 4}, c10::Device("openreg:1"));
  EXPECT_TRUE(zero.is_privateuseone());
  EXPECT_EQ(zero.get_device(), 0);
  EXPECT_EQ(one.get_device(), 1);
  EXPECT_EQ(one.device().str(), "openreg:1");
}

TEST(Device, NewTensorsFollowTheCurrentDevice) {
  set_current_device(1);
  EXPECT_EQ(at::randn({2}, c10::Device("openreg")).device(), device(1));
  set_current_device(0);
  EXPECT_EQ(at::randn({2}, c10::Device("openreg")).device(), device(0));
}

TEST(Device, OperatorsDoNotChangeTheCurrentOne) {
  const c10::DeviceGuard scope(device(1));
  const auto x = at::ones({3, 3}, device(0));
  EXPECT_TRUE(same_bits(at::full({3, 3}, 3.0f), x.mm(x)));
  EXPECT_TRUE(same_bits(at::ones({3, 3}), x.to(device(1)).abs()));
  EXPECT_EQ(current_device(), 1);
}

TEST(Device, NestedGuardsRestoreWhenExceptionsPass) {
  EXPECT_TRUE(throws(
      [] {
        const c10::DeviceGuard outer(device(1));
        EXPECT_TRUE(throws(
            [] {
              const c10::DeviceGuard inner(device(0));
              at::ones({2, 3}, device()).mm(at::ones({2, 3}, device()));
            },
            "cannot be multiplied"));
        EXPECT_EQ(current_device(), 1);
        TORCH_CHECK(false, "outer");
      },
      "outer"));
  EXPECT_EQ(current_device(), 0);
}

TEST(Device, WorksOnAfterAnError) {
  const auto x = at::ones({2, 3}, device());
  EXPECT_TRUE(throws([&] { x.mm(x); }, "cannot be multiplied"));
  EXPECT_EQ(current_device(), 0);
  EXPECT_TRUE(same_bits(at::full({2, 2}, 3.0f), x.mm(x.t())));
}

TEST(Device, FourThreadsKeepTheirDevices) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t, &wrong] {
      const auto index = static_cast<c10::DeviceIndex>(t % 2);
      for (int i = 0; i < 50; ++i) {
        set_current_device(index);
        const auto x = at::full({4, 4}, t + 1.0f, c10::Device("openreg"));
        const auto sum = x.mm(x).sum();
        wrong += sum.device() != device(index) || current_device() != index ||
                 sum.item<float>() != 64.0f * static_cast<float>((t + 1) * (t + 1));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Device, IsInitializedAfterTheFirstUse) {
  init();
  EXPECT_TRUE(at::globalContext().getAcceleratorHooksInterface().hasPrimaryContext(0));
}

TEST(Device, SynchronizingKeepsDeviceAndResults) {
  const auto a = at::rand({8, 8});
  const auto y = a.to(device(1)).mm(a.to(device(1)));
  synchronize(0);
  synchronize(1);
  EXPECT_EQ(current_device(), 0);
  EXPECT_TRUE(same_bits(a.mm(a), y));
}

}  // namespace
}  // namespace openreg::test
