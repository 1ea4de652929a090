#include <openreg/inspect.h>

#include <array>
#include <optional>
#include <sstream>
#include <string_view>

#include <openreg/dispatch.h>
#include <openreg/fallback.h>
#include <openreg/openreg.h>

namespace openreg::inspect {
namespace {

// The row of a dispatch table: `PrivateUse1: registered at FILE:LINE [kernel]`.
struct Row {
  std::string where;
  std::string why;
};

std::optional<Row> row_of(const std::string& table, const std::string& key) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, key.size() + 2, key + ": ") != 0) {
      continue;
    }
    const auto bracket = line.rfind(" [");
    Row row{line.substr(key.size() + 2, bracket - key.size() - 2), line.substr(bracket + 2)};
    row.why.pop_back();
    if (const auto at = row.where.find("registered at "); at != std::string::npos) {
      row.where.erase(0, at + 14);
    }
    return row;
  }
  return std::nullopt;
}

// The tables of kernels are files, and a registration remembers its file: under the checkout, whose own path may hold
// any word.
Coverage kernel_kind(const std::string& op, const std::string& where, const FallbackPolicy& policy) {
  for (const auto& entry : dispatch::registrations(op)) {
    if (entry.key == "PrivateUse1" && entry.active && entry.boxed) {
      return Coverage::explicit_fallback;
    }
  }
  if (where.find("src/stubs/") != std::string::npos) {
    return Coverage::stub;
  }
  if (where.find("src/ops/forwarded_") != std::string::npos) {
    return policy.forwarded.value_or(true) ? Coverage::forwarded : Coverage::explicit_fallback;
  }
  return Coverage::native;
}

bool is_forbidden(const FallbackPolicy& policy, const std::string& op) {
  const std::string family = op.substr(0, op.find('.'));
  for (const std::string& name : policy.forbid) {
    if (name == op || name == family) {
      return true;
    }
  }
  return false;
}

bool may_fall_back(const FallbackPolicy& policy, const std::string& op, bool by_name) {
  if (is_forbidden(policy, op)) {
    return false;
  }
  if (policy.mode == FallbackMode::selective && !by_name) {
    FallbackPolicy allowed;
    allowed.forbid = policy.allow;
    return is_forbidden(allowed, op);
  }
  return policy.mode != FallbackMode::off || by_name;
}

OperatorCoverage cover(const std::string& op, const FallbackPolicy& policy) {
  OperatorCoverage result{op, Coverage::none, ""};
  const std::string table = dispatch::dump_table(op);
  const auto row = row_of(table, "PrivateUse1");
  if (!row) {
    return result;
  }
  result.where = row->where;
  if (row->why == "kernel") {
    result.how = kernel_kind(op, row->where, policy);
    const bool falls_back = result.how == Coverage::explicit_fallback || result.how == Coverage::forwarded;
    if (falls_back && !may_fall_back(policy, op, true)) {
      result.how = Coverage::forbidden;
    }
  } else if (row->why == "math kernel") {
    result.how = Coverage::composite_implicit;
  } else if (row->why == "default backend kernel") {
    result.how = Coverage::composite_explicit;
  } else if (row->why == "backend fallback" && row_of(table, "CPU")) {
    result.how = may_fall_back(policy, op, false) ? Coverage::global_fallback : Coverage::forbidden;
  }
  if (result.how == Coverage::none) {
    result.where.clear();
  }
  return result;
}

}  // namespace

const char* coverage_name(Coverage coverage) noexcept {
  static constexpr std::array<const char*, 9> names{
      "native",          "stub",      "forwarded", "explicit_fallback", "composite_implicit", "composite_explicit",
      "global_fallback", "forbidden", "none"};
  return names[static_cast<std::size_t>(coverage)];
}

std::vector<OperatorCoverage> operator_coverage() {
  init();
  const FallbackPolicy policy = fallback_policy();
  std::vector<OperatorCoverage> result;
  for (const std::string& op : dispatch::get_all_op_names()) {
    result.push_back(cover(op, policy));
  }
  return result;
}

std::map<Coverage, std::size_t> count_coverage(const std::vector<OperatorCoverage>& operators) {
  std::map<Coverage, std::size_t> counts;
  for (const auto& entry : operators) {
    ++counts[entry.how];
  }
  return counts;
}

}  // namespace openreg::inspect
