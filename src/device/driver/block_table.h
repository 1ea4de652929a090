#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace openreg::driver {

struct Block {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;  // as asked for
};

// The books of one device's address range: live blocks by address, free ranges by address and by size. Holds no
// lock and touches no page. A std::bad_alloc may lose free addresses, never a live block.
class BlockTable {
 public:
  // Starts with one free range.
  void reset(std::uintptr_t address, std::size_t bytes);

  // Takes a range of whole granules out of the free ones; huge-page aligned when it is large and there is a choice.
  std::optional<std::uintptr_t> take(std::size_t bytes);
  // Gives a range back and joins it with its free neighbours.
  void give_back(std::uintptr_t address, std::size_t bytes);

  void insert(const Block& block);
  // The live block that holds the address.
  std::optional<Block> find(std::uintptr_t address) const;
  // Removes the live block and remembers it for was_freed().
  void erase(const Block& block);
  // The block that began at the address and was freed, if it was among the last ones.
  std::optional<Block> was_freed(std::uintptr_t address) const;

  std::size_t largest_free() const;
  std::size_t free_range_count() const { return free_by_address_.size(); }
  std::size_t block_count() const { return blocks_.size(); }

 private:
  using FreeRange = std::map<std::uintptr_t, std::size_t>::iterator;

  void add_free(std::uintptr_t address, std::size_t bytes);
  void remove_free(FreeRange range);

  std::map<std::uintptr_t, std::size_t> blocks_;
  std::map<std::uintptr_t, std::size_t> free_by_address_;
  std::set<std::pair<std::size_t, std::uintptr_t>> free_by_size_;
  std::array<Block, 64> freed_ = {};
  std::size_t next_freed_ = 0;
};

}  // namespace openreg::driver
