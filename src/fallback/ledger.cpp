#include <c10/util/StringUtil.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <mutex>
#include <tuple>

#include "device/runtime.h"
#include "fallback/operator_record.h"
#include "openreg/fallback.h"

namespace openreg {
namespace fallback {

constinit std::atomic<bool> ledger_switch{false};

namespace {

struct Records {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<OperatorRecord>> by_name;
};

// Leaked: operators may run in destructors of static tensors.
Records& records() {
  static auto* const instance = new Records;
  return *instance;
}

}  // namespace

OperatorRecord& operator_record(const std::string& name) {
  auto& all = records();
  const std::lock_guard lock(all.mutex);
  auto& record = all.by_name[name];
  if (record == nullptr) {
    record = std::make_unique<OperatorRecord>(name);
  }
  return *record;
}

std::string to_text(const c10::OperatorName& name) {
  return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

LedgerEntry OperatorRecord::entry(Way way) const {
  const auto& counter = counters_[static_cast<std::size_t>(way)];
  const char* cause = "";
  if (is_fallback(way)) {
    cause = forced_.load(std::memory_order_relaxed) ? "forced by the policy"
            : way == Way::global_fallback           ? "no kernel"
                                                    : "no kernel but a composite";
  }
  return {name_,
          way,
          counter.calls.load(std::memory_order_relaxed),
          counter.nanoseconds.load(std::memory_order_relaxed),
          counter.bytes.load(std::memory_order_relaxed),
          cause};
}

void OperatorRecord::reset() noexcept {
  for (auto& counter : counters_) {
    counter.calls.store(0, std::memory_order_relaxed);
    counter.nanoseconds.store(0, std::memory_order_relaxed);
    counter.bytes.store(0, std::memory_order_relaxed);
  }
}

}  // namespace fallback

namespace {

constexpr std::array<const char*, fallback::kWayCount> kWayNames{"native", "stub", "forwarded", "explicit_fallback",
                                                                 "global_fallback"};

void sort_entries(std::vector<LedgerEntry>& entries) {
  std::sort(entries.begin(), entries.end(), [](const LedgerEntry& a, const LedgerEntry& b) {
    return std::tie(b.calls, a.op, a.way) < std::tie(a.calls, b.op, b.way);
  });
}

}  // namespace

const char* way_name(Way way) noexcept { return kWayNames[static_cast<std::size_t>(way)]; }

bool is_fallback(Way way) noexcept { return way >= Way::forwarded; }

void set_ledger(bool on) noexcept { fallback::ledger_switch.store(on, std::memory_order_relaxed); }

bool ledger_on() noexcept { return fallback::ledger_switch.load(std::memory_order_relaxed); }

std::vector<LedgerEntry> ledger() {
  std::vector<LedgerEntry> entries;
  auto& all = fallback::records();
  const std::lock_guard lock(all.mutex);
  for (const auto& [name, record] : all.by_name) {
    for (std::size_t way = 0; way < fallback::kWayCount; ++way) {
      auto entry = record->entry(static_cast<Way>(way));
      if (entry.calls != 0) {
        entries.push_back(std::move(entry));
      }
    }
  }
  sort_entries(entries);
  return entries;
}

void reset_ledger() noexcept {
  auto& all = fallback::records();
  const std::lock_guard lock(all.mutex);
  for (auto& [name, record] : all.by_name) {
    record->reset();
  }
}

std::string ledger_table(const std::vector<LedgerEntry>& entries) {
  if (entries.empty()) {
    return c10::str("No operator ran on ", device::kBackendName, ".\n");
  }
  std::size_t width = 8;
  for (const auto& entry : entries) {
    width = std::max(width, entry.op.size());
  }
  std::string table;
  const auto add_line = [&](const char* op, const char* way, const std::string& calls, const std::string& ms,
                            const std::string& bytes) {
    char tail[96];
    std::snprintf(tail, sizeof tail, "  %-17s  %8s  %10s  %12s\n", way, calls.c_str(), ms.c_str(), bytes.c_str());
    std::string name(op);
    name.resize(width, ' ');
    table += name + tail;
  };
  add_line("operator", "way", "calls", "ms", "bytes copied");
  for (const auto& entry : entries) {
    char ms[32];
    std::snprintf(ms, sizeof ms, "%.3f", static_cast<double>(entry.nanoseconds) / 1e6);
    add_line(entry.op.c_str(), way_name(entry.way), std::to_string(entry.calls), ms, std::to_string(entry.bytes));
  }
  return table;
}

std::string ledger_json(const std::vector<LedgerEntry>& entries) {
  // Operator names and causes hold no character that JSON would escape.
  std::string json = "[";
  for (const auto& entry : entries) {
    json += (json.size() == 1 ? "\n" : ",\n");
    json += "  {\"op\": \"" + entry.op + "\", \"way\": \"" + way_name(entry.way) +
            "\", \"calls\": " + std::to_string(entry.calls) +
            ", \"nanoseconds\": " + std::to_string(entry.nanoseconds) + ", \"bytes\": " + std::to_string(entry.bytes) +
            ", \"cause\": \"" + entry.cause + "\"}";
  }
  return json + "\n]\n";
}

LedgerScope::LedgerScope() : before_(ledger()), was_on_(ledger_on()) { set_ledger(true); }

LedgerScope::~LedgerScope() { set_ledger(was_on_); }

std::vector<LedgerEntry> LedgerScope::entries() const {
  std::map<std::pair<std::string, Way>, const LedgerEntry*> earlier;
  for (const auto& entry : before_) {
    earlier[{entry.op, entry.way}] = &entry;
  }
  auto now = ledger();
  for (auto& entry : now) {
    // Fewer than before: the ledger was reset since, and all of them are new.
    if (const auto found = earlier.find({entry.op, entry.way});
        found != earlier.end() && found->second->calls <= entry.calls) {
      entry.calls -= found->second->calls;
      entry.nanoseconds -= found->second->nanoseconds;
      entry.bytes -= found->second->bytes;
    }
  }
  std::erase_if(now, [](const LedgerEntry& entry) { return entry.calls == 0; });
  sort_entries(now);
  return now;
}

std::uint64_t LedgerScope::calls(const std::string& op) const {
  std::uint64_t sum = 0;
  for (const auto& entry : entries()) {
    sum += entry.op == op ? entry.calls : 0;
  }
  return sum;
}

std::uint64_t LedgerScope::calls(const std::string& op, Way way) const {
  std::uint64_t sum = 0;
  for (const auto& entry : entries()) {
    sum += entry.op == op && entry.way == way ? entry.calls : 0;
  }
  return sum;
}

}  // namespace openreg
