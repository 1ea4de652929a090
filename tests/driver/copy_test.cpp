#include <sys/mman.h>

#include <cstring>
#include <limits>

#include "driver_test.h"

namespace openreg::driver {
namespace {

using Copy = DriverTest;

std::vector<unsigned char> pattern(std::size_t bytes) {
  std::vector<unsigned char> result(bytes);
  for (std::size_t i = 0; i < bytes; ++i) result[i] = static_cast<unsigned char>(i * 31 + i / 251);
  return result;
}

TEST_F(Copy, GoesToTheDeviceBetweenDevicesAndBack) {
  constexpr std::size_t bytes = 100003;
  const auto in = pattern(bytes);
  std::vector<unsigned char> out(bytes);
  const DeviceBlock first(bytes, 0);
  const DeviceBlock second(bytes, 1);
  ASSERT_TRUE(succeeds(copy(first.get(), in.data(), bytes, CopyKind::host_to_device)));
  ASSERT_TRUE(succeeds(copy(second.get(), first.get(), bytes, CopyKind::device_to_device)));
  ASSERT_TRUE(succeeds(copy(out.data(), second.get(), bytes, CopyKind::device_to_host)));
  EXPECT_EQ(in, out);
  EXPECT_EQ(std::memcmp(host_view(second.get()), in.data(), bytes), 0);
}

TEST_F(Copy, BetweenHostBlocks) {
  const auto in = pattern(1000);
  std::vector<unsigned char> out(1000);
  ASSERT_TRUE(succeeds(copy(out.data(), in.data(), 1000, CopyKind::host_to_host)));
  EXPECT_EQ(in, out);
}

TEST_F(Copy, InteriorRangesTouchNothingElse) {
  const auto in = pattern(100);
  const DeviceBlock block(300);
  ASSERT_TRUE(succeeds(fill(block.get(), 1, 300)));
  ASSERT_TRUE(succeeds(copy(block.at(200), in.data(), 100, CopyKind::host_to_device)));
  ASSERT_TRUE(succeeds(copy(block.at(50), block.at(200), 100, CopyKind::device_to_device)));
  const auto* view = host_view<unsigned char>(block.get());
  EXPECT_TRUE(holds_only(view, 50, 1));
  EXPECT_EQ(std::memcmp(view + 50, in.data(), 100), 0);
  EXPECT_TRUE(holds_only(view + 150, 50, 1));
}

TEST_F(Copy, ZeroBytesDoNothing) {
  EXPECT_TRUE(succeeds(copy(nullptr, nullptr, 0, CopyKind::device_to_device)));
  EXPECT_TRUE(succeeds(fill(nullptr, 1, 0)));
}

TEST_F(Copy, UnknownKindIsRefused) {
  char buffer[8] = {};
  EXPECT_TRUE(fails(copy(buffer, buffer + 4, 4, static_cast<CopyKind>(17)), Status::invalid_argument, {"17"}));
}

TEST_F(Copy, KindThatContradictsAnAddressIsRefused) {
  const DeviceBlock block(64);
  const DeviceBlock other(64);
  char host[64] = {};
  char more[64] = {};
  using enum CopyKind;
  EXPECT_TRUE(fails(copy(host, more, 64, host_to_device), Status::invalid_argument, {"destination", hex(host)}));
  EXPECT_TRUE(fails(copy(block.get(), other.get(), 64, host_to_device), Status::invalid_argument, {"source"}));
  EXPECT_TRUE(fails(copy(block.get(), host, 64, device_to_host), Status::invalid_argument, {"destination"}));
  EXPECT_TRUE(fails(copy(host, more, 64, device_to_host), Status::invalid_argument, {"source", hex(more)}));
  EXPECT_TRUE(fails(copy(block.get(), host, 64, device_to_device), Status::invalid_argument, {"source"}));
  EXPECT_TRUE(fails(copy(host, block.get(), 64, host_to_host), Status::invalid_argument, {"source"}));
  EXPECT_TRUE(fails(copy(nullptr, host, 64, host_to_device), Status::invalid_argument, {"destination is null"}));
  EXPECT_TRUE(fails(copy(host, nullptr, 64, host_to_host), Status::invalid_argument, {"source is null"}));
}

TEST_F(Copy, BothEndsOfDeviceRangesAreChecked) {
  const DeviceBlock block(1000);
  std::vector<char> host(2000);
  EXPECT_TRUE(fails(copy(block.get(), host.data(), 1001, CopyKind::host_to_device), Status::invalid_argument,
                    {"destination", "1001 bytes", "past the end", "1000 bytes"}));
  EXPECT_TRUE(fails(copy(host.data(), block.at(999), 2, CopyKind::device_to_host), Status::invalid_argument,
                    {"source", "of which 1 follow"}));
  const std::size_t largest = std::numeric_limits<std::size_t>::max();
  EXPECT_TRUE(fails(copy(host.data(), block.at(1), largest, CopyKind::device_to_host), Status::invalid_argument));
  EXPECT_TRUE(fails(copy(block.at(1000), host.data(), 1, CopyKind::host_to_device), Status::invalid_argument,
                    {"no live block"}));
  EXPECT_TRUE(succeeds(copy(block.at(999), host.data(), 1, CopyKind::host_to_device)));
}

TEST_F(Copy, BothEndsOfHostBlocksAreChecked) {
  const DeviceBlock block(1000);
  void* host = nullptr;
  ASSERT_TRUE(succeeds(host_allocate(100, &host)));
  EXPECT_TRUE(fails(copy(block.get(), host, 101, CopyKind::host_to_device), Status::invalid_argument,
                    {"source", "past the end", "100 bytes"}));
  EXPECT_TRUE(succeeds(copy(block.get(), host, 100, CopyKind::host_to_device)));
  EXPECT_TRUE(succeeds(host_free(host)));
}

TEST_F(Copy, HostRangeThatReachesIntoTheDevicesIsRefused) {
  const DeviceBlock block(64);
  const auto base = properties(0).address_base;
  auto* before = reinterpret_cast<void*>(base - 16);
  EXPECT_TRUE(
      fails(copy(block.get(), before, 32, CopyKind::host_to_device), Status::invalid_argument, {"not host memory"}));
  auto* wraps = reinterpret_cast<void*>(~std::uintptr_t{0} - 4);
  EXPECT_TRUE(fails(copy(block.get(), wraps, 32, CopyKind::host_to_device), Status::invalid_argument));
}

TEST_F(Copy, BackingAddressesAreHostMemoryOfTheirBlock) {
  const auto in = pattern(64);
  const DeviceBlock block(64);
  const DeviceBlock other(64);
  ASSERT_TRUE(succeeds(copy(block.get(), in.data(), 64, CopyKind::host_to_device)));
  EXPECT_TRUE(succeeds(copy(other.get(), host_view(block.get()), 64, CopyKind::host_to_device)));
  EXPECT_EQ(std::memcmp(host_view(other.get()), in.data(), 64), 0);
  EXPECT_TRUE(fails(copy(other.get(), host_view(block.get()) + 1, 64, CopyKind::host_to_device),
                    Status::invalid_argument, {"past the end"}));
  EXPECT_TRUE(fails(copy(block.get(), host_view(block.get()), 64, CopyKind::host_to_device), Status::invalid_argument,
                    {"overlap"}));
}

TEST_F(Copy, OverlapIsRefused) {
  const DeviceBlock block(100);
  EXPECT_TRUE(fails(copy(block.at(10), block.get(), 50, CopyKind::device_to_device), Status::invalid_argument,
                    {"overlap in 40 of 50 bytes"}));
  EXPECT_TRUE(fails(copy(block.get(), block.at(10), 50, CopyKind::device_to_device), Status::invalid_argument));
  EXPECT_TRUE(succeeds(copy(block.get(), block.at(50), 50, CopyKind::device_to_device)));
}

TEST_F(Copy, FreedBlockIsRefused) {
  void* block = nullptr;
  char host[8] = {};
  ASSERT_TRUE(succeeds(memory_allocate(0, 8, &block)));
  ASSERT_TRUE(succeeds(memory_free(block)));
  EXPECT_TRUE(fails(copy(block, host, 8, CopyKind::host_to_device), Status::invalid_argument, {"no live block"}));
  EXPECT_TRUE(fails(fill(block, 1, 8), Status::invalid_argument, {"no live block"}));
}

TEST_F(Copy, FillSetsTheRangeAndChecksIt) {
  const DeviceBlock block(100);
  ASSERT_TRUE(succeeds(fill(block.at(10), 0x1ff, 80)));
  const auto* view = host_view<unsigned char>(block.get());
  EXPECT_TRUE(holds_only(view, 10, 0));
  EXPECT_TRUE(holds_only(view + 10, 80, 0xff));
  EXPECT_TRUE(holds_only(view + 90, 10, 0));
  char host[8] = {};
  EXPECT_TRUE(fails(fill(block.at(10), 1, 91), Status::invalid_argument, {"fill", "past the end"}));
  EXPECT_TRUE(fails(fill(host, 1, 8), Status::invalid_argument, {"not an address of any device"}));
}

// A host page that faults when it is read, and holds whoever reads it until it is opened: a copy that is surely
// under way.
struct HeldPage {
  static inline std::atomic<bool> reached{false};
  static inline std::atomic<bool> opened{false};

  static void hold(int) {
    reached = true;
    while (!opened) {
    }
  }

  HeldPage() {
    page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    reached = opened = false;
    struct sigaction action = {};
    action.sa_handler = hold;
    sigaction(SIGSEGV, &action, &before);
  }
  ~HeldPage() {
    sigaction(SIGSEGV, &before, nullptr);
    munmap(page, 4096);
  }
  HeldPage(const HeldPage&) = delete;
  HeldPage& operator=(const HeldPage&) = delete;

  void open() const {
    EXPECT_EQ(mprotect(page, 4096, PROT_READ), 0);
    opened = true;
  }

  void* page;
  struct sigaction before = {};
};

TEST_F(Copy, HoldsNoLockWhileItRuns) {
  // The reference holds one lock for all devices through every copy.
  const DeviceBlock block(4096);
  const DeviceBlock other(4096);
  const HeldPage held;
  std::thread copier([&] { EXPECT_TRUE(succeeds(copy(block.get(), held.page, 4096, CopyKind::host_to_device))); });
  while (!HeldPage::reached) std::this_thread::yield();
  Gate done;
  std::thread worker([&] {
    PointerAttributes attributes;
    EXPECT_TRUE(succeeds(pointer_attributes(block.get(), &attributes)));
    EXPECT_TRUE(succeeds(fill(block.get(), 1, 64)));
    EXPECT_TRUE(succeeds(copy(other.get(), block.get(), 64, CopyKind::device_to_device)));
    const DeviceBlock another(64);
    done.open();
  });
  EXPECT_TRUE(done.wait_for(std::chrono::seconds(10)));
  held.open();
  copier.join();
  worker.join();
}

}  // namespace
}  // namespace openreg::driver
