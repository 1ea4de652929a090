#include <openreg/dispatch.h>

#include <algorithm>
#include <sstream>

#include <c10/util/Exception.h>

#include "nearest_names.h"

namespace openreg::dispatch {
namespace {

std::string full_name(const c10::OperatorName& op) {
  return op.overload_name.empty() ? op.name : op.name + "." + op.overload_name;
}

c10::OperatorName parse_name(std::string_view text) {
  std::string name(text);
  if (name.find("::") == std::string::npos) {
    name.insert(0, "aten::");
  }
  const std::size_t dot = name.find('.', name.find("::"));
  return dot == std::string::npos ? c10::OperatorName(name, "")
                                  : c10::OperatorName(name.substr(0, dot), name.substr(dot + 1));
}

[[noreturn]] void throw_unknown(std::string_view name) {
  TORCH_CHECK(false, "Operator '", full_name(parse_name(name)), "' does not exist.",
              nearest_sentence(nearest_op_names(name)));
}

c10::OperatorHandle find(std::string_view name) {
  const auto op = c10::Dispatcher::singleton().findOp(parse_name(name));
  if (!op) {
    throw_unknown(name);
  }
  return *op;
}

std::vector<std::string> sorted_names(const std::vector<c10::OperatorName>& operators) {
  std::vector<std::string> names;
  names.reserve(operators.size());
  for (const auto& op : operators) {
    names.push_back(full_name(op));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::string dump(std::string_view name) { return find(name).dumpState(); }

std::string dump_table(std::string_view name) { return find(name).dumpComputedTable(); }

bool has_kernel(std::string_view name) { return c10::Dispatcher::singleton().findOp(parse_name(name)).has_value(); }

bool has_kernel_for_dispatch_key(std::string_view name, c10::DispatchKey key) {
  return find(name).hasKernelForDispatchKey(key);
}

bool has_kernel_for_dispatch_key(std::string_view name, std::string_view key) {
  return has_kernel_for_dispatch_key(name, key_parse(key));
}

bool has_kernel_for_any_dispatch_key(std::string_view name, c10::DispatchKeySet keys) {
  return find(name).hasKernelForAnyDispatchKey(keys);
}

bool has_computed_kernel_for_dispatch_key(std::string_view name, c10::DispatchKey key) {
  const auto op = find(name);
  TORCH_CHECK(!c10::isAliasDispatchKey(key), "The alias key ", key,
              " has no row in the dispatch table; ask for a key that it covers.");
  return op.hasComputedKernelForDispatchKey(key);
}

bool has_computed_kernel_for_dispatch_key(std::string_view name, std::string_view key) {
  return has_computed_kernel_for_dispatch_key(name, key_parse(key));
}

bool kernel_for_dispatch_key_is_fallthrough(std::string_view name, c10::DispatchKey key) {
  const auto op = find(name);
  TORCH_CHECK(op.hasKernelForDispatchKey(key), "Operator '", full_name(op.operator_name()),
              "' has no kernel registered for ", key, "; dump_table shows what runs for the key.");
  return op.isKernelFallthroughKernel(key);
}

bool kernel_for_dispatch_key_is_fallthrough(std::string_view name, std::string_view key) {
  return kernel_for_dispatch_key_is_fallthrough(name, key_parse(key));
}

bool has_backend_fallback(c10::DispatchKey key) {
  return !c10::isAliasDispatchKey(key) && c10::Dispatcher::singleton().hasBackendFallbackForDispatchKey(key);
}

c10::OperatorHandle find_schema(std::string_view name) {
  const auto op = c10::Dispatcher::singleton().findSchema(parse_name(name));
  if (!op) {
    throw_unknown(name);
  }
  return *op;
}

void check_invariants(std::string_view name) { find(name).checkInvariants(); }

void check_all_invariants() { c10::Dispatcher::singleton().checkInvariants(); }

std::vector<std::string> find_dangling_impls() {
  std::vector<std::string> states;
  for (const auto& op : c10::Dispatcher::singleton().findDanglingImpls()) {
    states.push_back(op.dumpState());
  }
  return states;
}

std::vector<std::string> nearest_op_names(std::string_view name) {
  const std::string wanted = full_name(parse_name(name));
  std::vector<std::string> candidates = get_all_op_names();
  if (wanted.find('.', wanted.find("::")) == std::string::npos &&
      !std::ranges::any_of(candidates, [&](const auto& op) { return op.starts_with(wanted + "."); })) {
    for (std::string& op : candidates) {
      op.resize(std::min(op.size(), op.find('.', op.find("::"))));
    }
  }
  return nearest_names(wanted, candidates);
}

std::vector<std::string> get_all_op_names() { return sorted_names(c10::Dispatcher::singleton().getAllOpNames()); }

std::vector<std::string> get_registrations_for_dispatch_key(std::optional<c10::DispatchKey> key) {
  return sorted_names(c10::Dispatcher::singleton().getRegistrationsForDispatchKey(key));
}

std::string dump_registrations(std::optional<c10::DispatchKey> key) {
  std::string text;
  for (const std::string& name : get_registrations_for_dispatch_key(key)) {
    text += name + "\n";
  }
  return text;
}

}  // namespace openreg::dispatch
