#include "dispatch_commands.h"

#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <CLI/CLI.hpp>

#include <openreg/dispatch.h>

#include <ATen/ops/ones.h>

namespace openreg::demo {
namespace {

using Answer = std::variant<bool, std::int64_t, std::string, std::vector<std::string>>;
using Arguments = std::vector<std::string>;

struct Command {
  const char* name;
  const char* help;
  Arguments parameters;  // a name that ends with `?` may be left out
  std::function<Answer(const Arguments&)> run;
};

at::Tensor tensor_on(const std::string& device) {
  return at::ones({3, 3}, at::TensorOptions().device(c10::Device(device)));
}

std::int64_t integer(const std::string& text) {
  std::size_t used = 0;
  std::int64_t value = 0;
  try {
    value = std::stoll(text, &used, 0);
  } catch (const std::logic_error&) {
    used = 0;
  }
  TORCH_CHECK(used != 0 && used == text.size(), "'", text, "' is not an integer.");
  return value;
}

std::uint64_t bits(const std::string& text) {
  std::size_t used = 0;
  std::uint64_t value = 0;
  try {
    value = std::stoull(text, &used, 0);
  } catch (const std::logic_error&) {
    used = 0;
  }
  TORCH_CHECK(used != 0 && used == text.size() && text[0] != '-', "'", text, "' is not a 64-bit number.");
  return value;
}

std::optional<c10::DispatchKey> optional_key(const Arguments& a) {
  return a.empty() ? std::nullopt : std::optional(dispatch::key_parse(a[0]));
}

Arguments names(const std::vector<c10::DispatchKey>& keys) {
  Arguments result;
  std::transform(keys.begin(), keys.end(), std::back_inserter(result), dispatch::key_name);
  return result;
}

Arguments registration_lines(const std::string& op) {
  Arguments lines;
  for (const auto& entry : dispatch::registrations(op)) {
    lines.push_back(entry.key + ": " + entry.where + (entry.fallthrough ? " fallthrough" : "") +
                    (entry.active ? "" : " (replaced)"));
  }
  return lines;
}

const std::vector<Command>& commands() {
  using A = const Arguments&;
  static const std::vector<Command> all{
      {"check_all_invariants",
       "Check the bookkeeping of every operator",
       {},
       [](A) -> Answer { return dispatch::check_all_invariants(), "ok"; }},
      {"check_invariants",
       "Check the bookkeeping of an operator",
       {"operator"},
       [](A a) -> Answer { return dispatch::check_invariants(a[0]), "ok"; }},
      {"dump",
       "Everything registered for an operator",
       {"operator"},
       [](A a) -> Answer { return dispatch::dump(a[0]); }},
      {"dump_registrations",
       "Operators with a kernel for a key, one a line",
       {"key?"},
       [](A a) -> Answer { return dispatch::dump_registrations(optional_key(a)); }},
      {"dump_table",
       "The kernel that runs for each key",
       {"operator"},
       [](A a) -> Answer { return dispatch::dump_table(a[0]); }},
      {"find_dangling_impls",
       "Operators with kernels and no schema",
       {},
       [](A) -> Answer { return dispatch::find_dangling_impls(); }},
      {"find_schema",
       "The schema of an operator",
       {"operator"},
       [](A a) -> Answer { return c10::toString(dispatch::find_schema(a[0]).schema()); }},
      {"functionality_to_backend_keys",
       "The keys of a functionality, one a backend",
       {"key"},
       [](A a) -> Answer { return names(dispatch::functionality_to_backend_keys(dispatch::key_parse(a[0]))); }},
      {"get_all_op_names", "Every operator", {}, [](A) -> Answer { return dispatch::get_all_op_names(); }},
      {"get_backend_keyset_from_autograd",
       "The backend keys under an autograd key",
       {"key"},
       [](A a) -> Answer {
         return dispatch::keyset_to_string(dispatch::get_backend_keyset_from_autograd(dispatch::key_parse(a[0])));
       }},
      {"get_registrations_for_dispatch_key",
       "Operators with a kernel for a key",
       {"key?"},
       [](A a) -> Answer { return dispatch::get_registrations_for_dispatch_key(optional_key(a)); }},
      {"has_backend_fallback",
       "Whether a key has a fallback for all operators",
       {"key"},
       [](A a) -> Answer { return dispatch::has_backend_fallback(dispatch::key_parse(a[0])); }},
      {"has_computed_kernel_for_dispatch_key",
       "Whether anything runs for operator and key",
       {"operator", "key"},
       [](A a) -> Answer { return dispatch::has_computed_kernel_for_dispatch_key(a[0], a[1]); }},
      {"has_kernel",
       "Whether the dispatcher knows the operator",
       {"operator"},
       [](A a) -> Answer { return dispatch::has_kernel(a[0]); }},
      {"has_kernel_for_any_dispatch_key",
       "Whether a kernel was registered for a key of the set",
       {"operator", "keys"},
       [](A a) -> Answer { return dispatch::has_kernel_for_any_dispatch_key(a[0], dispatch::keyset_parse(a[1])); }},
      {"has_kernel_for_dispatch_key",
       "Whether a kernel was registered for this very key",
       {"operator", "key"},
       [](A a) -> Answer { return dispatch::has_kernel_for_dispatch_key(a[0], a[1]); }},
      {"isTensorSubclassLike",
       "Whether a tensor on the device has keys of wrappers",
       {"device"},
       [](A a) -> Answer { return dispatch::is_tensor_subclass_like(tensor_on(a[0])); }},
      {"is_alias_key",
       "Whether a key stands for others",
       {"key"},
       [](A a) -> Answer { return dispatch::is_alias_key(dispatch::key_parse(a[0])); }},
      {"is_included_in_alias",
       "Whether an alias key covers a key",
       {"key", "alias"},
       [](A a) -> Answer {
         return dispatch::is_included_in_alias(dispatch::key_parse(a[0]), dispatch::key_parse(a[1]));
       }},
      {"is_main_interpreter",
       "Always true: no Python interpreter is here",
       {},
       [](A) -> Answer { return dispatch::is_main_interpreter(); }},
      {"kernel_for_dispatch_key_is_fallthrough",
       "Whether the kernel for this very key falls through",
       {"operator", "key"},
       [](A a) -> Answer { return dispatch::kernel_for_dispatch_key_is_fallthrough(a[0], a[1]); }},
      {"key_for_device",
       "The key that tensors on a device dispatch to",
       {"device"},
       [](A a) -> Answer { return dispatch::key_for_device(a[0]); }},
      {"key_name",
       "The name of the key with a number",
       {"number"},
       [](A a) -> Answer { return dispatch::key_name(dispatch::key_from_number(integer(a[0]))); }},
      {"key_parse",
       "The key for a spelling",
       {"key"},
       [](A a) -> Answer { return dispatch::key_name(dispatch::key_parse(a[0])); }},
      {"key_set",
       "The keys of a tensor on a device, priority growing to the right",
       {"device"},
       [](A a) -> Answer { return dispatch::key_set(tensor_on(a[0])); }},
      {"keys", "Every key", {}, [](A) -> Answer { return names(dispatch::all_keys()); }},
      {"keyset",
       "A key set from names, as libtorch prints it",
       {"keys"},
       [](A a) -> Answer { return dispatch::keyset_to_string(dispatch::keyset_parse(a[0])); }},
      {"keyset_and",
       "The keys in both sets",
       {"keys", "others"},
       [](A a) -> Answer {
         return dispatch::keyset_to_string(dispatch::keyset_parse(a[0]) & dispatch::keyset_parse(a[1]));
       }},
      {"keyset_from_raw",
       "The key set with these bits",
       {"bits"},
       [](A a) -> Answer { return dispatch::keyset_to_string(dispatch::keyset_from_raw(bits(a[0]))); }},
      {"keyset_full",
       "Every key that a tensor can have",
       {},
       [](A) -> Answer { return dispatch::keyset_to_string(dispatch::keyset_full()); }},
      {"keyset_full_after",
       "Every key of lower priority",
       {"key"},
       [](A a) -> Answer {
         return dispatch::keyset_to_string(dispatch::keyset_full_after(dispatch::key_parse(a[0])));
       }},
      {"keyset_highest",
       "The key of the set that wins",
       {"keys"},
       [](A a) -> Answer { return dispatch::key_name(dispatch::keyset_parse(a[0]).highestPriorityTypeId()); }},
      {"keyset_or",
       "The keys in either set",
       {"keys", "others"},
       [](A a) -> Answer {
         return dispatch::keyset_to_string(dispatch::keyset_parse(a[0]) | dispatch::keyset_parse(a[1]));
       }},
      {"keyset_raw",
       "The bits of a key set",
       {"keys"},
       [](A a) -> Answer { return std::to_string(dispatch::keyset_raw(dispatch::keyset_parse(a[0]))); }},
      {"keyset_sub",
       "The keys in the first set alone",
       {"keys", "others"},
       [](A a) -> Answer {
         return dispatch::keyset_to_string(dispatch::keyset_parse(a[0]) - dispatch::keyset_parse(a[1]));
       }},
      {"num_backends",
       "How many backends a key set can tell apart",
       {},
       [](A) -> Answer { return dispatch::num_backends(); }},
      {"registrations",
       "Each kernel of an operator with file and line",
       {"operator"},
       [](A a) -> Answer { return registration_lines(a[0]); }},
      {"tls_exclude_set",
       "The keys that this thread takes away",
       {},
       [](A) -> Answer { return dispatch::keyset_to_string(dispatch::tls_local_exclude_set()); }},
      {"tls_include_set",
       "The keys that this thread adds",
       {},
       [](A) -> Answer { return dispatch::keyset_to_string(dispatch::tls_local_include_set()); }},
      {"tls_is_excluded",
       "Whether this thread takes a key away",
       {"key"},
       [](A a) -> Answer { return dispatch::tls_is_dispatch_key_excluded(dispatch::key_parse(a[0])); }},
      {"tls_is_included",
       "Whether this thread adds a key",
       {"key"},
       [](A a) -> Answer { return dispatch::tls_is_dispatch_key_included(dispatch::key_parse(a[0])); }},
      {"to_functionality_key",
       "The functionality of a per-backend key",
       {"key"},
       [](A a) -> Answer { return dispatch::key_name(dispatch::to_functionality_key(dispatch::key_parse(a[0]))); }},
  };
  return all;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    result += c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  }
  return result + '"';
}

struct AsJson {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(const std::string& value) const { return quoted(value); }
  std::string operator()(const Arguments& values) const {
    std::string result = "[";
    for (const std::string& value : values) {
      result += (result.size() == 1 ? "" : ",") + quoted(value);
    }
    return result + "]";
  }
};

struct AsText {
  std::string operator()(bool value) const { return value ? "true\n" : "false\n"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value) + "\n"; }
  std::string operator()(const std::string& value) const {
    return !value.empty() && value.back() == '\n' ? value : value + "\n";
  }
  std::string operator()(const Arguments& values) const {
    std::string result;
    for (const std::string& value : values) {
      result += (*this)(value);
    }
    return result;
  }
};

struct Given {
  void (*start)() = nullptr;
  Arguments arguments;
  bool json = false;
};

void print_answer(const Command& command, const Given& given) {
  try {
    if (given.start != nullptr) {
      given.start();
    }
    const Answer answer = command.run(given.arguments);
    if (given.json) {
      std::cout << "{\"command\":" << quoted(command.name) << ",\"answer\":" << std::visit(AsJson(), answer) << "}\n";
    } else {
      std::cout << std::visit(AsText(), answer);
    }
  } catch (const c10::Error& error) {
    std::cerr << error.what_without_backtrace() << "\n";
    throw CLI::RuntimeError(1);
  }
}

void print_list() {
  for (const Command& command : commands()) {
    std::string line = command.name;
    for (const std::string& parameter : command.parameters) {
      line += parameter.back() == '?' ? " [" + parameter.substr(0, parameter.size() - 1) + "]" : " " + parameter;
    }
    line.resize(std::max<std::size_t>(line.size() + 2, 56), ' ');
    std::cout << line << command.help << "\n";
  }
}

}  // namespace

void add_dispatch_commands(CLI::App& app, void (*start)()) {
  CLI::App* const group = app.add_subcommand("dispatch", "Ask the dispatcher, as torch._C._dispatch_* does");
  group->require_subcommand(1);
  group->add_subcommand("list", "Every question, one a line")->callback(print_list);
  for (const Command& command : commands()) {
    const auto given = std::make_shared<Given>();
    given->start = start;
    CLI::App* const sub = group->add_subcommand(command.name, command.help);
    sub->add_flag("--json", given->json, "Answer as one JSON object");
    if (!command.parameters.empty()) {
      std::string what;
      for (const std::string& parameter : command.parameters) {
        what += (what.empty() ? "" : " ") + parameter;
      }
      const bool optional = command.parameters.back().back() == '?';
      const int count = static_cast<int>(command.parameters.size());
      sub->add_option(what, given->arguments, what)->expected(optional ? 0 : count, count)->required(!optional);
    }
    sub->callback([&command, given] { print_answer(command, *given); });
  }
}

}  // namespace openreg::demo
