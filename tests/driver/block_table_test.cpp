#include "device/driver/block_table.h"

#include "device/driver/address_space.h"
#include "driver_test.h"

namespace openreg::driver {
namespace {

constexpr std::uintptr_t kStart = std::uintptr_t{1} << 40;
constexpr std::size_t kBytes = std::size_t{64} << 20;

class Table : public testing::Test {
 protected:
  void SetUp() override { table_.reset(kStart, kBytes); }
  BlockTable table_;
};

TEST_F(Table, FreedNeighboursJoinInAnyOrder) {
  const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const auto& order : orders) {
    std::uintptr_t taken[3];
    for (std::uintptr_t& address : taken) address = table_.take(granularity).value();
    for (const int i : order) table_.give_back(taken[i], granularity);
    EXPECT_EQ(table_.largest_free(), kBytes);
    EXPECT_EQ(table_.take(kBytes), kStart);
    table_.give_back(kStart, kBytes);
  }
}

TEST_F(Table, SmallestHoleThatFitsIsTaken) {
  const std::uintptr_t first = table_.take(4 * granularity).value();
  table_.take(granularity);
  const std::uintptr_t second = table_.take(2 * granularity).value();
  table_.take(granularity);
  table_.give_back(first, 4 * granularity);
  table_.give_back(second, 2 * granularity);
  EXPECT_EQ(table_.take(2 * granularity), second);
  EXPECT_EQ(table_.take(3 * granularity), first);
}

TEST_F(Table, LargeRangesAreAlignedWhileThereIsAChoice) {
  table_.take(granularity);
  const std::uintptr_t aligned = table_.take(huge_page).value();
  EXPECT_EQ(aligned % huge_page, 0u);
  const std::size_t rest = kBytes - granularity;
  table_.reset(kStart + granularity, rest);
  EXPECT_EQ(table_.take(rest), kStart + granularity);
}

TEST_F(Table, NothingIsTakenWhenNothingFits) {
  EXPECT_EQ(table_.take(kBytes + granularity), std::nullopt);
  EXPECT_EQ(table_.take(kBytes), kStart);
  EXPECT_EQ(table_.take(granularity), std::nullopt);
  EXPECT_EQ(table_.largest_free(), 0u);
}

TEST_F(Table, FreedBlocksAreRememberedForAWhile) {
  for (std::size_t i = 0; i < 70; ++i) {
    const Block block = {kStart + i * granularity, i + 1};
    table_.insert(block);
    table_.erase(block);
  }
  EXPECT_FALSE(table_.was_freed(kStart).has_value());
  EXPECT_EQ(table_.was_freed(kStart + 69 * granularity).value().bytes, 70u);
  EXPECT_EQ(table_.block_count(), 0u);
}

}  // namespace
}  // namespace openreg::driver
