#include "source_writer.h"

#include <array>
#include <fstream>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include "dynamic_symbols.h"

namespace openreg::generator {
namespace {

enum class Use {
  keys,           // contributes keys to the dispatch
  keys_and_move,  // the same, passed by value and worth moving
  move,           // passed by value and worth moving
  plain           // passed on as it is
};

// Every parameter type of the at::_ops functions. What is not here stops the build: a tensor-like type that is taken
// for a plain one would give wrong keys.
const std::map<std::string, Use>& uses() {
  static const std::map<std::string, Use> map = [] {
    std::map<std::string, Use> result;
    for (const char* const type :
         {"const at::Tensor &", "at::Tensor &", "at::TensorList", "at::ITensorListRef", "const at::ITensorListRef &",
          "const ::std::optional<at::Tensor> &", "const c10::List<::std::optional<at::Tensor>> &"}) {
      result[type] = Use::keys;
    }
    for (const char* const type : {"at::Generator", "::std::optional<at::Generator>"}) {
      result[type] = Use::keys_and_move;
    }
    for (const char* const type : {"c10::SymInt", "::std::optional<c10::SymInt>", "at::Storage", "c10::SymBool"}) {
      result[type] = Use::move;
    }
    for (const char* const type : {"bool",
                                   "int64_t",
                                   "double",
                                   "at::ScalarType",
                                   "at::Layout",
                                   "at::Device",
                                   "at::DeviceIndex",
                                   "at::MemoryFormat",
                                   "at::Stream",
                                   "at::QScheme",
                                   "at::Dimname",
                                   "at::DimnameList",
                                   "at::IntArrayRef",
                                   "at::OptionalIntArrayRef",
                                   "c10::SymIntArrayRef",
                                   "at::OptionalSymIntArrayRef",
                                   "at::ArrayRef<at::Scalar>",
                                   "at::ArrayRef<double>",
                                   "const at::Scalar &",
                                   "const ::std::optional<at::Scalar> &",
                                   "c10::string_view",
                                   "::std::string_view",
                                   "::std::optional<c10::string_view>",
                                   "::std::optional<::std::string_view>",
                                   "::std::optional<bool>",
                                   "::std::optional<int64_t>",
                                   "::std::optional<double>",
                                   "::std::optional<at::ScalarType>",
                                   "::std::optional<at::Layout>",
                                   "::std::optional<at::Device>",
                                   "::std::optional<at::MemoryFormat>",
                                   "::std::optional<at::DimnameList>",
                                   "::std::optional<at::ArrayRef<double>>",
                                   "::std::array<bool,2>",
                                   "::std::array<bool,3>",
                                   "::std::array<bool,4>"}) {
      result[type] = Use::plain;
    }
    return result;
  }();
  return map;
}

Use use_of(const Operator& op, const Parameter& parameter) {
  const auto found = uses().find(parameter.type);
  if (found == uses().end()) {
    throw std::runtime_error(op.header + ": struct " + op.struct_name + ": unknown parameter type '" + parameter.type +
                             "'; say in source_writer.cpp whether it holds tensors");
  }
  return found->second;
}

std::string symbol(const Operator& op, const std::string& function, const std::vector<std::string>& symbols) {
  return only_symbol(symbols, "_ZN2at4_ops" + std::to_string(op.struct_name.size()) + op.struct_name + function + "E");
}

void write_function(std::ostream& out, const Operator& op, std::size_t slot, bool redispatch) {
  std::string declared;
  std::string passed;
  std::string keys;
  if (redispatch) {
    declared = "c10::DispatchKeySet keys";
    passed = "keys";
  }
  for (std::size_t i = 0; i < op.parameters.size(); ++i) {
    const Parameter& parameter = op.parameters[i];
    const Use use = use_of(op, parameter);
    const std::string name = std::string("a").append(std::to_string(i));
    declared += (declared.empty() ? "" : ", ") + parameter.type + " " + name;
    passed += passed.empty() ? "" : ", ";
    passed += use == Use::move || use == Use::keys_and_move ? "::std::move(" + name + ")" : name;
    if (use == Use::keys || use == Use::keys_and_move) {
      keys += (keys.empty() ? "keys_of(" : ", keys_of(") + name + ")";
    }
  }
  const std::string function = redispatch ? "redispatch" : "call";
  out << op.result << " " << op.struct_name << "::" << function << "(" << declared << ") {\n"
      << "  if (off()) return original<decltype(&" << function << ")>(" << slot << ")(" << passed << ");\n"
      << "  const Hop hop(" << slot / 2 << ", " << (redispatch ? "keys" : "{" + keys + "}") << ");\n"
      << "  return original<decltype(&" << function << ")>(" << slot << ")(" << passed << ");\n}\n";
}

void write_if_changed(const std::filesystem::path& file, const std::string& text) {
  {
    std::ifstream old(file);
    std::ostringstream content;
    content << old.rdbuf();
    if (old && content.str() == text) {
      return;
    }
  }
  std::ofstream out(file, std::ios::trunc);
  out << text;
  if (!out.flush()) {
    throw std::runtime_error(file.string() + ": cannot be written");
  }
}

std::string hooks_source(const std::vector<Operator>& operators, std::size_t begin, std::size_t end) {
  std::ostringstream out;
  out << "// Generated from the headers of libtorch; see Note [Interposed operators].\n#include \"hop.h\"\n\n";
  std::set<std::string> headers;
  for (std::size_t i = begin; i < end; ++i) {
    if (headers.insert(operators[i].header).second) {
      out << "#include <" << operators[i].header << ">\n";
    }
  }
  out << "\nnamespace at::_ops {\nusing namespace openreg::trace::detail;\n";
  for (std::size_t i = begin; i < end; ++i) {
    write_function(out, operators[i], 2 * i, false);
    write_function(out, operators[i], 2 * i + 1, true);
  }
  out << "}  // namespace at::_ops\n";
  return out.str();
}

std::string table_source(const std::vector<Operator>& operators, const std::vector<std::string>& symbols) {
  std::ostringstream out;
  out << "// Generated from the headers and the library of libtorch; see Note [Interposed operators].\n"
      << "#include \"hook_table.h\"\n\nnamespace openreg::trace::detail {\n"
      << "const HookedOperator hooked_operators[] = {\n";
  std::set<std::string> structs;
  for (const Operator& op : operators) {
    if (!structs.insert(op.struct_name).second) {
      throw std::runtime_error(op.header + ": struct " + op.struct_name + " is declared twice");
    }
    out << "    {\"" << op.name << "\", \"" << op.overload << "\", \"" << symbol(op, "4call", symbols) << "\", \""
        << symbol(op, "10redispatch", symbols) << "\"},\n";
  }
  out << "};\nconst std::size_t hooked_operator_count = " << operators.size() << ";\nvoid* originals["
      << 2 * operators.size() << "];\nconst HelperSymbols helper_symbols = {\n"
      << "    \"" << only_symbol(symbols, "_ZN2at27getStepCallbacksUnlessEmptyE") << "\",\n"
      << "    \"" << only_symbol(symbols, "_ZN3c1010Dispatcher17runRecordFunctionE", "", "ArrayRef") << "\",\n"
      << "    \"" << only_symbol(symbols, "_ZN3c1010Dispatcher17runRecordFunctionE", "ArrayRef") << "\",\n"
      << "    \"" << only_symbol(symbols, "_ZN3c1019show_dispatch_traceE") << "\",\n"
      << "    \"" << only_symbol(symbols, "_ZN3c106detail21_print_dispatch_traceE") << "\",\n"
      << "    \"" << only_symbol(symbols, "_ZN3c1027dispatch_trace_nesting_incrE") << "\",\n"
      << "    \"" << only_symbol(symbols, "_ZN3c1027dispatch_trace_nesting_decrE") << "\",\n"
      << "    \"" << only_symbol(symbols, "_ZN3c1028dispatch_trace_nesting_valueE") << "\",\n"
      << "};\n}  // namespace openreg::trace::detail\n";
  return out.str();
}

}  // namespace

void write_sources(const std::vector<Operator>& operators, const std::vector<std::string>& symbols,
                   const std::filesystem::path& folder, std::size_t parts) {
  std::filesystem::create_directories(folder);
  for (std::size_t part = 0; part < parts; ++part) {
    std::ostringstream name;
    name << "hooks_" << std::setw(2) << std::setfill('0') << part << ".cpp";
    write_if_changed(folder / name.str(),
                     hooks_source(operators, operators.size() * part / parts, operators.size() * (part + 1) / parts));
  }
  write_if_changed(folder / "hook_table.cpp", table_source(operators, symbols));
}

}  // namespace openreg::generator
