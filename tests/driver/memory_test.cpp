#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "driver_test.h"

namespace openreg::driver {
namespace {

using Memory = DriverTest;

constexpr std::size_t kilobyte = 1024;
constexpr std::size_t megabyte = 1024 * kilobyte;

MemoryInfo info(int device) {
  MemoryInfo result;
  EXPECT_TRUE(succeeds(memory_info(device, &result)));
  return result;
}

// Bytes of a range that physical pages stand behind.
std::size_t resident_bytes(const void* start, std::size_t bytes) {
  std::vector<unsigned char> pages((bytes + 4095) / 4096);
  EXPECT_EQ(mincore(const_cast<void*>(start), bytes, pages.data()), 0);
  std::size_t count = 0;
  for (const unsigned char page : pages) count += page & 1u;
  return count * 4096;
}

TEST_F(Memory, AllocatesAndFrees) {
  void* block = nullptr;
  ASSERT_TRUE(succeeds(memory_allocate(0, 1024, &block)));
  EXPECT_NE(block, nullptr);
  EXPECT_TRUE(succeeds(memory_free(block)));
}

TEST_F(Memory, NullResultZeroBytesAndBadDeviceAreRefused) {
  int anything = 0;
  void* block = &anything;
  EXPECT_TRUE(fails(memory_allocate(0, 64, nullptr), Status::invalid_argument, {"block is null"}));
  EXPECT_TRUE(fails(memory_allocate(0, 0, &block), Status::invalid_argument, {"memory_allocate", "bytes is 0"}));
  EXPECT_TRUE(fails(memory_allocate(2, 64, &block), Status::invalid_device, {"device 2"}));
  EXPECT_TRUE(fails(memory_allocate(-1, 64, &block), Status::invalid_device, {"device -1"}));
  EXPECT_EQ(block, &anything);
}

TEST_F(Memory, BlocksLieAlignedInTheirDevicesRange) {
  for (int device = 0; device < 2; ++device) {
    const DeviceProperties range = properties(device);
    const DeviceBlock block(3 * megabyte + 1, device);
    const auto address = reinterpret_cast<std::uintptr_t>(block.get());
    EXPECT_GE(address, range.address_base);
    EXPECT_LE(address + 3 * megabyte + 1, range.address_base + range.address_bytes);
    EXPECT_EQ(address % range.allocation_granularity, 0u);
  }
}

TEST_F(Memory, IsAllocatedOnTheNamedDeviceWhateverIsCurrent) {
  ASSERT_TRUE(succeeds(set_current_device(0)));
  const DeviceBlock block(64, 1);
  PointerAttributes attributes;
  ASSERT_TRUE(succeeds(pointer_attributes(block.get(), &attributes)));
  EXPECT_EQ(attributes.device, 1);
}

TEST_F(Memory, IsZeroAlsoWhenTheAddressesWereUsedBefore) {
  for (const std::size_t bytes : {std::size_t{5000}, 5 * megabyte}) {
    for (int round = 0; round < 3; ++round) {
      const DeviceBlock block(bytes);
      EXPECT_TRUE(holds_only(host_view(block.get()), bytes, 0));
      ASSERT_TRUE(succeeds(fill(block.get(), 0xee, bytes)));
    }
  }
}

TEST_F(Memory, FreeingNullDoesNothing) { EXPECT_TRUE(succeeds(memory_free(nullptr))); }

TEST_F(Memory, DoubleFreeNamesAddressAndSize) {
  void* block = nullptr;
  ASSERT_TRUE(succeeds(memory_allocate(1, 12345, &block)));
  ASSERT_TRUE(succeeds(memory_free(block)));
  EXPECT_TRUE(fails(memory_free(block), Status::invalid_argument, {hex(block), "already", "12345 bytes", "device 1"}));
}

TEST_F(Memory, InteriorFreeNamesBlockAndKeepsIt) {
  const DeviceBlock block(1000);
  EXPECT_TRUE(fails(memory_free(block.at(8)), Status::invalid_argument,
                    {hex(block.at(8)), "8 bytes inside", "1000 bytes", hex(block.get())}));
  EXPECT_TRUE(succeeds(fill(block.get(), 1, 1000)));
}

TEST_F(Memory, FreeingAnythingElseIsRefused) {
  int local = 0;
  EXPECT_TRUE(fails(memory_free(&local), Status::invalid_argument, {hex(&local), "not an address of any device"}));
  const DeviceBlock block(64);
  EXPECT_TRUE(fails(memory_free(host_view(block.get())), Status::invalid_argument));
  const DeviceProperties range = properties(0);
  auto* unused = reinterpret_cast<void*>(range.address_base + range.address_bytes - range.allocation_granularity);
  EXPECT_TRUE(fails(memory_free(unused), Status::invalid_argument, {hex(unused), "not a live block", "device 0"}));
}

TEST_F(Memory, InfoCountsWholeGranules) {
  const std::size_t granule = properties().allocation_granularity;
  const MemoryInfo before = info(0);
  const MemoryInfo other = info(1);
  EXPECT_EQ(before.capacity, properties().memory_capacity);
  {
    const DeviceBlock small(1);
    EXPECT_EQ(info(0).free, before.free - granule);
    const DeviceBlock larger(granule + 1);
    EXPECT_EQ(info(0).free, before.free - 3 * granule);
    EXPECT_EQ(info(1).free, other.free);
  }
  EXPECT_EQ(info(0).free, before.free);
  MemoryInfo untouched = {1, 2};
  EXPECT_TRUE(fails(memory_info(5, &untouched), Status::invalid_device, {"device 5"}));
  EXPECT_TRUE(fails(memory_info(0, nullptr), Status::invalid_argument, {"info is null"}));
  EXPECT_EQ(untouched.free, 1u);
}

TEST_F(Memory, FreeingReturnsThePages) {
  constexpr std::size_t bytes = 8 * megabyte;
  void* block = nullptr;
  ASSERT_TRUE(succeeds(memory_allocate(0, bytes, &block)));
  const void* view = host_view(block);
  ASSERT_TRUE(succeeds(fill(block, 1, bytes)));
  EXPECT_EQ(resident_bytes(view, bytes), bytes);
  ASSERT_TRUE(succeeds(memory_free(block)));
  EXPECT_EQ(resident_bytes(view, bytes), 0u);
}

TEST_F(Memory, AllocationTouchesNoPages) {
  const DeviceBlock block(16 * megabyte);
  EXPECT_EQ(resident_bytes(host_view(block.get()), 16 * megabyte), 0u);
}

TEST_F(Memory, ManyBlocksDoNotOverlapAndKeepTheirBytes) {
  std::vector<std::unique_ptr<DeviceBlock>> blocks;
  for (int i = 0; i < 200; ++i) {
    blocks.push_back(std::make_unique<DeviceBlock>(4096 + static_cast<std::size_t>(i) * 1000, i % 2));
    ASSERT_TRUE(succeeds(fill(blocks.back()->get(), i, 4096)));
  }
  for (int i = 0; i < 200; i += 3) blocks[static_cast<std::size_t>(i)].reset();
  for (int i = 0; i < 200; i += 3) blocks[static_cast<std::size_t>(i)] = std::make_unique<DeviceBlock>(50000, i % 2);
  for (int i = 0; i < 200; ++i) {
    const auto value = static_cast<unsigned char>(i % 3 == 0 ? 0 : i);
    EXPECT_TRUE(holds_only(host_view(blocks[static_cast<std::size_t>(i)]->get()), 4096, value)) << i;
  }
}

TEST_F(Memory, IdlePartsStayOutOfCoreDumps) {
  {
    const DeviceBlock block(megabyte);
    ASSERT_TRUE(succeeds(fill(block.get(), 1, megabyte)));
  }
  const DeviceProperties range = properties();
  const auto holds = [&](std::uintptr_t first, std::uintptr_t address) {
    return address >= first && address < first + range.address_bytes;
  };
  std::ifstream maps("/proc/self/smaps");
  int mappings = 0;
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t start = 0;
    std::uintptr_t end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &start, &end) == 2) {
      inside = holds(range.address_base, start) ||
               holds(range.address_base + static_cast<std::uintptr_t>(range.host_distance), start);
    } else if (inside && line.rfind("VmFlags:", 0) == 0) {
      ++mappings;
      EXPECT_NE(line.find(" dd"), std::string::npos) << line;
    }
  }
  EXPECT_GE(mappings, 1);
}

TEST_F(Memory, ManyHolesLeaveTheProcessItsMappings) {
  const auto mappings = [] {
    std::ifstream maps("/proc/self/maps");
    return std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
  };
  const auto before = mappings();
  std::vector<void*> blocks(sanitized ? 10000 : 40000);
  for (void*& block : blocks) ASSERT_TRUE(succeeds(memory_allocate(0, 1, &block)));
  for (std::size_t i = 0; i < blocks.size(); i += 2) {
    ASSERT_TRUE(succeeds(fill(blocks[i], 7, 1)));
    ASSERT_TRUE(succeeds(memory_free(blocks[i])));
  }
  EXPECT_LT(mappings() - before, 5000);
  for (std::size_t i = 0; i < blocks.size(); i += 2) {
    ASSERT_TRUE(succeeds(memory_allocate(0, 1, &blocks[i])));
    ASSERT_TRUE(holds_only(host_view(blocks[i]), 1, 0));
  }
  for (void* block : blocks) ASSERT_TRUE(succeeds(memory_free(block)));
  EXPECT_LT(mappings() - before, 100);
}

TEST_F(Memory, DiscardZeroesTheRangeAndDropsItsWholePages) {
  constexpr std::size_t bytes = 64 * kilobyte + 100;
  const DeviceBlock block(bytes);
  ASSERT_TRUE(succeeds(fill(block.get(), 5, bytes)));
  const auto* view = host_view<const unsigned char>(block.get());
  ASSERT_TRUE(succeeds(memory_discard(block.at(100), 9000)));
  EXPECT_TRUE(holds_only(view, 100, 5));
  EXPECT_TRUE(holds_only(view + 100, 9000, 0));
  EXPECT_TRUE(holds_only(view + 9100, bytes - 9100, 5));

  ASSERT_TRUE(succeeds(memory_discard(block.at(10), 20)));
  EXPECT_TRUE(holds_only(view, 10, 5));
  EXPECT_TRUE(holds_only(view + 10, 20, 0));

  ASSERT_TRUE(succeeds(memory_discard(block.get(), bytes)));
  EXPECT_EQ(resident_bytes(view, 128 * kilobyte), 0u);
  EXPECT_TRUE(holds_only(view, bytes, 0));
  ASSERT_TRUE(succeeds(fill(block.get(), 6, bytes)));
  EXPECT_TRUE(holds_only(view, bytes, 6));
}

TEST_F(Memory, DiscardChecksItsRange) {
  const DeviceBlock block(1000);
  int local = 0;
  EXPECT_TRUE(fails(memory_discard(block.at(1), 1000), Status::invalid_argument, {"past the end", "1000 bytes"}));
  EXPECT_TRUE(fails(memory_discard(&local, 1), Status::invalid_argument, {"not an address of any device"}));
  EXPECT_TRUE(fails(memory_discard(nullptr, 1), Status::invalid_argument, {"address is null"}));
  EXPECT_TRUE(succeeds(memory_discard(nullptr, 0)));
}

TEST_F(Memory, ThreadsOnTwoDevicesEndWhereTheyBegan) {
  const MemoryInfo before[] = {info(0), info(1)};
  std::vector<std::thread> threads;
  for (int id = 0; id < 4; ++id) {
    threads.emplace_back([id] {
      std::vector<std::pair<void*, unsigned char>> mine;
      for (int i = 0; i < 2000; ++i) {
        if (mine.size() > 20 || (i % 3 == 2 && !mine.empty())) {
          const auto [block, value] = mine[static_cast<std::size_t>(i) % mine.size()];
          EXPECT_TRUE(holds_only(host_view(block), 512, value));
          EXPECT_TRUE(succeeds(memory_free(block)));
          mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i) % mine.size()));
          continue;
        }
        void* block = nullptr;
        const std::size_t bytes = 512 + static_cast<std::size_t>(i * 7919 % 200000);
        EXPECT_TRUE(succeeds(memory_allocate((id + i) % 2, bytes, &block)));
        const auto value = static_cast<unsigned char>(id * 50 + i % 50);
        EXPECT_TRUE(succeeds(fill(block, value, 512)));
        mine.emplace_back(block, value);
      }
      for (const auto& [block, value] : mine) EXPECT_TRUE(succeeds(memory_free(block)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(info(0).free, before[0].free);
  EXPECT_EQ(info(1).free, before[1].free);
}

TEST_F(Memory, AllocationDoesNotWaitForStreams) {
  Gate gate;
  const TestStream stream;
  ASSERT_TRUE(succeeds(launch(stream, [&] { gate.wait(); })));
  { const DeviceBlock block(64); }
  EXPECT_EQ(stream_query(stream), Status::not_ready);
  gate.open();
}

}  // namespace
}  // namespace openreg::driver
