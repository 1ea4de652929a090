#include "driver_test.h"

namespace openreg::driver {
namespace {

class Isolation : public DriverTest {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    DriverTest::SetUp();
  }
};

using IsolationDeathTest = Isolation;

constexpr std::size_t kBlock = 100000;

unsigned char read_byte(const void* address) { return *static_cast<const volatile unsigned char*>(address); }
void write_byte(void* address) { *static_cast<volatile unsigned char*>(address) = 1; }

TEST_F(IsolationDeathTest, HostReadOfTheFirstByteFaults) {
  const DeviceBlock block(kBlock);
  EXPECT_EXIT((restore_fault_signals(), read_byte(block.get())), testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(IsolationDeathTest, HostReadOfTheLastByteFaults) {
  const DeviceBlock block(kBlock);
  EXPECT_EXIT((restore_fault_signals(), read_byte(block.at(kBlock - 1))), testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(IsolationDeathTest, HostWriteFaults) {
  const DeviceBlock block(kBlock, 1);
  EXPECT_EXIT((restore_fault_signals(), write_byte(block.get())), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT((restore_fault_signals(), write_byte(block.at(kBlock - 1))), testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(IsolationDeathTest, HostAccessFaultsWhileATaskUsesTheBlock) {
  const auto access_while_used = [](std::size_t where) {
    restore_fault_signals();
    Stream stream = nullptr;
    void* block = nullptr;
    Gate used;
    if (memory_allocate(0, kBlock, &block) != Status::success) std::_Exit(1);
    if (stream_create(0, 0, &stream) != Status::success) std::_Exit(1);
    launch(stream, [&] {
      auto* view = host_view<volatile unsigned char>(block);
      for (unsigned i = 0;; ++i) {
        view[i % kBlock] = static_cast<unsigned char>(i);
        if (i == 1000) used.open();
      }
    });
    used.wait();
    read_byte(offset(block, where));
  };
  EXPECT_EXIT(access_while_used(0), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(access_while_used(kBlock - 1), testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(IsolationDeathTest, TaskThatForgetsTheDistanceFaultsToo) {
  const DeviceBlock block(kBlock);
  EXPECT_EXIT(
      {
        restore_fault_signals();
        Stream stream = nullptr;
        stream_create(0, 0, &stream);
        launch(stream, [&] { read_byte(block.get()); });
        stream_synchronize(stream);
      },
      testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(IsolationDeathTest, BackingOfAFreedBlockFaults) {
  void* block = nullptr;
  ASSERT_TRUE(succeeds(memory_allocate(0, kBlock, &block)));
  const void* view = host_view(block);
  EXPECT_EQ(read_byte(view), 0);
  ASSERT_TRUE(succeeds(memory_free(block)));
  EXPECT_EXIT((restore_fault_signals(), read_byte(view)), testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(IsolationDeathTest, BackingOutsideOfAllBlocksFaults) {
  const DeviceProperties range = properties();
  const auto unused = reinterpret_cast<const void*>(range.address_base + range.address_bytes - 1);
  EXPECT_EXIT((restore_fault_signals(), read_byte(host_view(unused))), testing::KilledBySignal(SIGSEGV), "");
}

}  // namespace
}  // namespace openreg::driver
