#include <algorithm>
#include <functional>
#include <vector>

#include "device/block_cache.h"
#include "device/driver/driver.h"
#include "device/driver_check.h"
#include "device/readable.h"
#include "device/runtime.h"
#include "openreg/memory.h"

namespace openreg {
namespace {

c10::DeviceIndex resolved(c10::DeviceIndex device) {
  return device::resolve_device({device::kDeviceType, device}).index();
}

struct Column {
  MemoryStatistics statistics;
  MemoryInfo info;
};

struct Row {
  const char* name;
  std::function<std::string(const Column&)> text;
};

Row bytes_row(const char* name, std::size_t MemoryStatistics::*field) {
  return {name, [field](const Column& column) { return device::readable_bytes(column.statistics.*field); }};
}

Row count_row(const char* name, std::uint64_t MemoryStatistics::*field) {
  return {name, [field](const Column& column) { return std::to_string(column.statistics.*field); }};
}

std::vector<Row> rows() {
  return {
      bytes_row("allocated", &MemoryStatistics::allocated),
      bytes_row("peak allocated", &MemoryStatistics::peak_allocated),
      bytes_row("waiting for streams", &MemoryStatistics::waiting),
      bytes_row("reserved", &MemoryStatistics::reserved),
      bytes_row("peak reserved", &MemoryStatistics::peak_reserved),
      {"free", [](const Column& column) { return device::readable_bytes(column.info.free); }},
      {"capacity", [](const Column& column) { return device::readable_bytes(column.info.capacity); }},
      count_row("allocations", &MemoryStatistics::allocations),
      count_row("frees", &MemoryStatistics::frees),
      count_row("driver allocations", &MemoryStatistics::driver_allocations),
      count_row("driver frees", &MemoryStatistics::driver_frees),
      count_row("out of memory", &MemoryStatistics::out_of_memory),
  };
}

std::string padded(std::string text, std::size_t width, bool left) {
  text.insert(left ? text.size() : 0, width > text.size() ? width - text.size() : 0, ' ');
  return text;
}

}  // namespace

MemoryStatistics memory_statistics(c10::DeviceIndex device) {
  const auto counts = device::block_cache(resolved(device)).counts();
  MemoryStatistics result;
  result.allocated = counts.allocated.current;
  result.peak_allocated = counts.allocated.peak;
  result.waiting = counts.waiting.current;
  result.reserved = counts.reserved.current;
  result.peak_reserved = counts.reserved.peak;
  result.allocations = counts.blocks.added;
  result.frees = counts.blocks.added - counts.blocks.current;
  result.driver_allocations = counts.spans.added;
  result.driver_frees = counts.spans.added - counts.spans.current;
  result.out_of_memory = counts.out_of_memory;
  return result;
}

void reset_peak_memory(c10::DeviceIndex device) { device::block_cache(resolved(device)).reset_peaks(); }

MemoryInfo memory_info(c10::DeviceIndex device) {
  driver::MemoryInfo info;
  device::check(driver::memory_info(resolved(device), &info));
  return {info.free, info.capacity};
}

std::string memory_summary() {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> cells{{""}};
  for (c10::DeviceIndex i = 0; i < device::device_count(); ++i) {
    columns.push_back({memory_statistics(i), memory_info(i)});
    cells[0].push_back(device::kBackendName + (":" + std::to_string(i)));
  }
  for (const auto& row : rows()) {
    cells.push_back({row.name});
    for (const auto& column : columns) cells.back().push_back(row.text(column));
  }
  std::vector<std::size_t> widths(cells[0].size(), 0);
  for (const auto& line : cells) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string table;
  for (const auto& line : cells) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      table += (i == 0 ? "" : "  ") + padded(line[i], widths[i], i == 0);
    }
    table += '\n';
  }
  return table;
}

void empty_cache() {
  for (c10::DeviceIndex i = 0; i < device::device_count(); ++i) {
    device::block_cache(i).release_unused();
  }
}

}  // namespace openreg
