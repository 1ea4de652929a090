#include <ATen/ATen.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <gtest/gtest.h>
#include <openreg/host_view.h>
#include <openreg/memory.h>
#include <openreg/openreg.h>
#include <openreg/stream.h>

#include <csignal>
#include <cstdlib>
#include <limits>

#include "device/allocator.h"
#include "device/runtime.h"
#include "runtime/gate.h"
#include "support/compare.h"
#include "support/samples.h"

// A program of its own: OPENREG_MEMORY_DEBUG is read once.
namespace openreg::test {
namespace {

[[maybe_unused]] const int debugging = setenv("OPENREG_MEMORY_DEBUG", "1", 1);

class MemoryDebugging : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

unsigned char* host_bytes(const at::Tensor& x) {
  return static_cast<unsigned char*>(openreg::device::to_host(x.const_data_ptr()));
}

TEST_F(MemoryDebugging, ASizeNearTheLargestIsRefused) {
  EXPECT_THROW(device::allocator().allocate(std::numeric_limits<std::size_t>::max() - 64), c10::Error);
}

TEST_F(MemoryDebugging, OperatorsGiveTheSame) {
  const auto a = at::rand({20, 20});
  const auto x = a.to(device());
  EXPECT_TRUE(same_bits(a.mm(a).abs(), x.mm(x).abs()));
  auto y = x.clone();
  y.resize_({50, 50});
  EXPECT_TRUE(same_bits(a.view({400}), y.view({2500}).slice(0, 0, 400)));
}

// Whoever copies more than the smaller of two sizes writes over the guard bytes, which ends the process.
TEST_F(MemoryDebugging, ResizingAStorageStaysInsideItsBlocks) {
  const auto resize = [](const at::Tensor& x, std::size_t bytes) {
    at::detail::getPrivateUse1Hooks().resizePrivateUse1Bytes(x.storage(), bytes);
  };
  for (const std::int64_t n : {4, 1000}) {
    auto x = at::arange(n, at::kFloat).to(device());
    resize(x, static_cast<std::size_t>(8 * n));
    EXPECT_TRUE(same_bits(at::arange(n, at::kFloat), x));
    resize(x, 4);
    EXPECT_EQ(x.storage().nbytes(), 4U);
    x.resize_({1});
    EXPECT_EQ(x.item<float>(), 0);
    resize(x, 12);
    x.resize_({3});
    EXPECT_EQ(x[0].item<float>(), 0);
    x.reset();  // looks at the guard bytes
  }
}

TEST_F(MemoryDebugging, NewMemoryIsPoisoned) {
  const auto x = at::empty({100}, at::device(device()).dtype(at::kByte));
  EXPECT_TRUE(same_bits(at::full({100}, 0xCD, at::kByte), x));
}

TEST_F(MemoryDebugging, FreedMemoryIsPoisoned) {
  auto x = at::ones({100}, at::device(device()).dtype(at::kByte));
  const auto* bytes = host_bytes(x);
  x.reset();
  EXPECT_EQ(bytes[0], 0xDD);
  EXPECT_EQ(bytes[99], 0xDD);
}

TEST_F(MemoryDebugging, MemoryThatAStreamStillUsesIsNotPoisonedYet) {
  auto x = at::ones({100}, at::device(device()).dtype(at::kByte));
  const auto* bytes = host_bytes(x);
  Gate gate(default_stream(0));
  // Not through the tensor, which would keep it; its value is what the block held when the work ran.
  int seen = 0;
  launch(default_stream(0), [&seen, bytes] { seen = bytes[50]; });
  x.reset();
  gate.open();
  synchronize(0);
  EXPECT_EQ(seen, 1);
}

TEST_F(MemoryDebugging, BlocksKeepTheirAlignment) {
  for (const std::int64_t n : {1, 63, 64, 65, 1000, 100'000}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(at::empty({n}, device()).const_data_ptr()) % 64, 0u);
  }
}

TEST_F(MemoryDebugging, WritingPastTheEndIsReportedWithTheSize) {
  EXPECT_EXIT(
      {
        auto x = at::empty({25}, device());
        host_bytes(x)[100] = 0;
        x.reset();
      },
      testing::KilledBySignal(SIGABRT),
      "openreg: bytes past the end of the block were written: block of 100 bytes at 0x[0-9a-f]+ on openreg:0");
}

TEST_F(MemoryDebugging, WritingBeforeTheBlockIsReported) {
  EXPECT_EXIT(
      {
        auto x = at::empty({25}, device(1));
        host_bytes(x)[-1] = 0;
        x.reset();
      },
      testing::KilledBySignal(SIGABRT),
      "openreg: bytes before the block were written: block of 100 bytes at 0x[0-9a-f]+ on openreg:1");
}

TEST_F(MemoryDebugging, ADoubleFreeIsReportedWithTheSize) {
  EXPECT_EXIT(
      {
        init();
        void* address = openreg::device::allocator().raw_allocate(200);
        openreg::device::allocator().raw_deallocate(address);
        openreg::device::allocator().raw_deallocate(address);
      },
      testing::KilledBySignal(SIGABRT), "openreg: double free: block of 200 bytes at 0x[0-9a-f]+ on openreg:0");
}

TEST_F(MemoryDebugging, FreeingWhatIsNoBlockIsReported) {
  EXPECT_EXIT(
      {
        auto x = at::empty({100}, device());
        openreg::device::delete_block(static_cast<char*>(x.mutable_data_ptr()) + 8);
      },
      testing::KilledBySignal(SIGABRT), "openreg: free of an address that is no block's");
}

TEST_F(MemoryDebugging, StatisticsReturnToWhereTheyWere) {
  init();
  const auto before = memory_statistics(0).allocated;
  for (int i = 0; i < 100; ++i) at::rand({i + 1, 7}, device()).abs().sum();
  EXPECT_EQ(memory_statistics(0).allocated, before);
}

}  // namespace
}  // namespace openreg::test
