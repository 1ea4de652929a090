#include "operator_headers.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string_view>

namespace openreg::generator {
namespace {

bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }
bool ends_with(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string()
                                         : std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

/// Reads one header line by line. Whatever is not one of the known lines is an error: a form that is skipped would be
/// an operator that is silently not traced.
class Reader {
 public:
  Reader(const std::filesystem::path& file, std::string label) : file_(file), label_(std::move(label)) {}

  std::vector<Operator> read() {
    std::ifstream input(file_);
    if (!input) {
      throw std::runtime_error(file_.string() + ": cannot be read");
    }
    for (std::string raw; std::getline(input, raw);) {
      ++line_number_;
      const std::string line = trimmed(raw);
      if (line.empty() || starts_with(line, "//") || starts_with(line, "#")) {
        continue;
      }
      inside_ ? member(line) : outside(line);
    }
    if (inside_) {
      fail("the file ends inside a struct");
    }
    return std::move(operators_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(file_.string() + ":" + std::to_string(line_number_) + ": " + what);
  }

  void outside(const std::string& line) {
    constexpr std::string_view head = "struct TORCH_API ";
    if (starts_with(line, head) && ends_with(line, " {")) {
      current_ = Operator();
      current_.header = label_;
      current_.struct_name = trimmed(line.substr(head.size(), line.size() - head.size() - 2));
      seen_.clear();
      inside_ = true;
      return;
    }
    if (line != "namespace at {" && line != "namespace _ops {" && !starts_with(line, "}} // namespace at::_ops")) {
      fail("unknown form: " + line);
    }
  }

  void member(const std::string& line) {
    if (line == "};") {
      finish();
    } else if (starts_with(line, "using schema = ") || line == "using ptr_schema = schema*;" ||
               starts_with(line, "static constexpr const char* schema_str = ")) {
      return;
    } else if (starts_with(line, "static constexpr const char* name = ")) {
      once("name");
      current_.name = quoted(line);
    } else if (starts_with(line, "static constexpr const char* overload_name = ")) {
      once("overload_name");
      current_.overload = quoted(line);
    } else if (starts_with(line, "static ") && ends_with(line, ");")) {
      function(line);
    } else {
      fail("unknown form: " + line);
    }
  }

  std::string quoted(const std::string& line) const {
    const auto first = line.find('"');
    const auto last = line.rfind('"');
    if (first == std::string::npos || last == first || !ends_with(line, "\";")) {
      fail("expected a string literal: " + line);
    }
    return line.substr(first + 1, last - first - 1);
  }

  void function(const std::string& line) {
    const auto open = line.find('(');
    const auto space = line.rfind(' ', open);
    const std::string name = line.substr(space + 1, open - space - 1);
    const std::string result = trimmed(line.substr(7, space - 7));
    std::vector<Parameter> parameters = split(line.substr(open + 1, line.size() - open - 3));
    if (name == "call") {
      once("call");
      current_.result = result;
      current_.parameters = std::move(parameters);
    } else if (name == "redispatch") {
      once("redispatch");
      if (seen_.count("call") == 0 || result != current_.result ||
          parameters.size() != current_.parameters.size() + 1 || parameters[0].type != "c10::DispatchKeySet") {
        fail("redispatch is not call with a DispatchKeySet in front: " + line);
      }
      for (std::size_t i = 0; i < current_.parameters.size(); ++i) {
        if (parameters[i + 1].type != current_.parameters[i].type) {
          fail("redispatch and call differ in a parameter: " + line);
        }
      }
    } else {
      fail("unknown function '" + name + "': " + line);
    }
  }

  std::vector<Parameter> split(const std::string& text) const {
    std::vector<Parameter> parameters;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      const char c = i < text.size() ? text[i] : ',';
      depth += c == '<' ? 1 : c == '>' ? -1 : 0;
      if (c != ',' || depth != 0) {
        continue;
      }
      const std::string piece = trimmed(text.substr(begin, i - begin));
      begin = i + 1;
      if (piece.empty() && text.empty()) {
        break;
      }
      const auto space = piece.rfind(' ');
      if (space == std::string::npos) {
        fail("a parameter without a name: " + piece);
      }
      parameters.push_back({trimmed(piece.substr(0, space)), piece.substr(space + 1)});
    }
    return parameters;
  }

  void once(const std::string& what) {
    if (!seen_.insert(what).second) {
      fail("a second '" + what + "' in struct " + current_.struct_name);
    }
  }

  void finish() {
    for (const char* const needed : {"name", "overload_name", "call", "redispatch"}) {
      if (seen_.count(needed) == 0) {
        fail("struct " + current_.struct_name + " has no '" + needed + "'");
      }
    }
    operators_.push_back(std::move(current_));
    inside_ = false;
  }

  std::filesystem::path file_;
  std::string label_;
  std::size_t line_number_ = 0;
  bool inside_ = false;
  Operator current_;
  std::set<std::string> seen_;
  std::vector<Operator> operators_;
};

}  // namespace

std::vector<Operator> read_header(const std::filesystem::path& file, const std::string& label) {
  return Reader(file, label).read();
}

std::vector<Operator> read_operators(const std::vector<std::filesystem::path>& include_folders) {
  for (const auto& folder : include_folders) {
    const auto ops = folder / "ATen" / "ops";
    if (!std::filesystem::is_directory(ops)) {
      continue;
    }
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(ops)) {
      if (ends_with(entry.path().filename().string(), "_ops.h")) {
        names.push_back(entry.path().filename().string());
      }
    }
    std::sort(names.begin(), names.end());
    std::vector<Operator> operators;
    for (const std::string& name : names) {
      for (Operator& op : read_header(ops / name, "ATen/ops/" + name)) {
        operators.push_back(std::move(op));
      }
    }
    if (!operators.empty()) {
      return operators;
    }
  }
  throw std::runtime_error("no ATen/ops/*_ops.h with operators in the include folders given");
}

}  // namespace openreg::generator
