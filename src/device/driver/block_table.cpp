#include "device/driver/block_table.h"

#include "device/driver/address_space.h"

namespace openreg::driver {

void BlockTable::reset(std::uintptr_t address, std::size_t bytes) {
  free_by_address_.clear();
  free_by_size_.clear();
  add_free(address, bytes);
}

std::optional<std::uintptr_t> BlockTable::take(std::size_t bytes) {
  std::size_t alignment = bytes >= huge_page ? huge_page : granularity;
  auto found = free_by_size_.lower_bound({bytes + alignment - granularity, 0});
  if (found == free_by_size_.end()) {
    alignment = granularity;
    found = free_by_size_.lower_bound({bytes, 0});
  }
  if (found == free_by_size_.end()) return std::nullopt;

  const auto [range_bytes, range_address] = *found;
  const std::uintptr_t address = round_up(range_address, alignment);
  const std::size_t before = address - range_address;
  const std::size_t after = range_bytes - before - bytes;
  remove_free(free_by_address_.find(range_address));
  if (before > 0) add_free(range_address, before);
  if (after > 0) add_free(address + bytes, after);
  return address;
}

void BlockTable::give_back(std::uintptr_t address, std::size_t bytes) {
  auto next = free_by_address_.lower_bound(address);
  if (next != free_by_address_.end() && next->first == address + bytes) {
    bytes += next->second;
    const auto joined = next++;
    remove_free(joined);
  }
  if (next != free_by_address_.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == address) {
      address = previous->first;
      bytes += previous->second;
      remove_free(previous);
    }
  }
  add_free(address, bytes);
}

void BlockTable::insert(const Block& block) { blocks_.emplace(block.address, block.bytes); }

std::optional<Block> BlockTable::find(std::uintptr_t address) const {
  auto found = blocks_.upper_bound(address);
  if (found == blocks_.begin()) return std::nullopt;
  --found;
  if (address - found->first >= found->second) return std::nullopt;
  return Block{found->first, found->second};
}

void BlockTable::erase(const Block& block) {
  blocks_.erase(block.address);
  freed_[next_freed_++ % freed_.size()] = block;
}

std::optional<Block> BlockTable::was_freed(std::uintptr_t address) const {
  for (std::size_t back = 1; back <= freed_.size(); ++back) {
    const Block& block = freed_[(next_freed_ - back) % freed_.size()];
    if (block.bytes > 0 && block.address == address) return block;
  }
  return std::nullopt;
}

std::size_t BlockTable::largest_free() const { return free_by_size_.empty() ? 0 : free_by_size_.rbegin()->first; }

void BlockTable::add_free(std::uintptr_t address, std::size_t bytes) {
  const auto added = free_by_address_.emplace(address, bytes).first;
  try {
    free_by_size_.emplace(bytes, address);
  } catch (...) {
    free_by_address_.erase(added);
    throw;
  }
}

void BlockTable::remove_free(FreeRange range) {
  free_by_size_.erase({range->second, range->first});
  free_by_address_.erase(range);
}

}  // namespace openreg::driver
