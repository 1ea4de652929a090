#include <gtest/gtest.h>
#include <openreg/memory.h>
#include <openreg/openreg.h>
#include <torch/torch.h>

#include <csignal>
#include <cstdio>
#include <thread>

#include "support/samples.h"

namespace openreg::test {
namespace {

class FaultHandler : public testing::Test {
 protected:
  // Each runs in a process of its own, started afresh.
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

float read_on_host(const at::Tensor& x, std::ptrdiff_t element) {
  return *(static_cast<const volatile float*>(x.const_data_ptr()) + element);
}

TEST_F(FaultHandler, NamesDeviceBlockSizeAndOffset) {
  EXPECT_EXIT(
      {
        install_fault_handler();
        const auto x = at::ones({1 << 20}, device(1));
        read_on_host(x, 25);
      },
      testing::KilledBySignal(SIGSEGV),
      "openreg: host code touched device memory at 0x[0-9a-f]+: openreg:1, block of 4194304 bytes at 0x[0-9a-f]+, "
      "offset 100\\. Move the tensor with Tensor::cpu");
}

TEST_F(FaultHandler, NamesTheBlockInsideASlab) {
  EXPECT_EXIT(
      {
        install_fault_handler();
        const auto first = at::ones({16}, device());
        const auto second = at::ones({16}, device());
        read_on_host(second, 1);
      },
      testing::KilledBySignal(SIGSEGV), "openreg:0, block of 64 bytes at 0x[0-9a-f]+, offset 4\\.");
}

TEST_F(FaultHandler, SaysWhenThereIsNoBlock) {
  EXPECT_EXIT(
      {
        install_fault_handler();
        auto x = at::ones({1 << 20}, device());
        const auto* address = static_cast<const volatile float*>(x.const_data_ptr());
        x.reset();
        empty_cache();
        static_cast<void>(*address);
      },
      testing::KilledBySignal(SIGSEGV), "openreg:0, in no block\\.");
}

TEST_F(FaultHandler, WorksOnOtherThreads) {
  EXPECT_EXIT(
      {
        install_fault_handler();
        const auto x = at::ones({100}, device());
        std::thread([&x] { read_on_host(x, 0); }).join();
      },
      testing::KilledBySignal(SIGSEGV), "host code touched device memory");
}

TEST_F(FaultHandler, ChainsToTheHandlerBefore) {
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, [](int) {
          std::fputs(" then the one before", stderr);
          std::_Exit(7);
        });
        install_fault_handler();
        const auto x = at::ones({100}, device());
        read_on_host(x, 0);
      },
      testing::ExitedWithCode(7), "host code touched device memory[^\n]*\n then the one before");
}

TEST_F(FaultHandler, LeavesOtherFaultsAlone) {
  EXPECT_EXIT(
      {
        install_fault_handler();
        static_cast<void>(*reinterpret_cast<const volatile int*>(16));
      },
      testing::KilledBySignal(SIGSEGV), "^$");
}

TEST_F(FaultHandler, ASignalFromOutsideStillEndsTheProcess) {
  EXPECT_EXIT(
      {
        install_fault_handler();
        std::raise(SIGSEGV);
      },
      testing::KilledBySignal(SIGSEGV), "^$");
}

}  // namespace
}  // namespace openreg::test
