#include "stub_headers.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "source_text.h"

namespace openreg::generator {
namespace {

constexpr std::string_view kMacro = "DECLARE_DISPATCH";

// Walks one header: keeps the namespaces it is in, notes what `using` and `typedef` name, takes the declarations.
class Reader {
 public:
  Reader(const std::string& text, std::string header) : raw_(text), code_(code_of(text)), header_(std::move(header)) {}

  std::vector<DeclaredStub> read() {
    while (at_ < code_.size()) {
      const char c = code_[at_];
      if (c == '{') {
        scopes_.push_back(kBlock);
      } else if (c == '}') {
        if (scopes_.empty()) fail("a '}' too many");
        scopes_.pop_back();
      } else if (is_word(c)) {
        word();
        continue;
      }
      ++at_;
    }
    if (!scopes_.empty()) fail("the file ends inside a block");
    return std::move(stubs_);
  }

 private:
  inline static const std::string kBlock = "{";  // a scope that is no namespace

  [[noreturn]] void fail(const std::string& what) const {
    const auto line = 1 + std::count(code_.begin(), code_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw std::runtime_error(header_ + ":" + std::to_string(line) + ": " + what);
  }

  std::string take_word() {
    const auto begin = at_;
    while (at_ < code_.size() && is_word(code_[at_])) ++at_;
    return code_.substr(begin, at_ - begin);
  }

  // Up to, and past, the first of `ends` outside brackets.
  std::string take_until(std::string_view ends) {
    const auto begin = at_;
    int depth = 0;
    for (; at_ < code_.size(); ++at_) {
      const char c = code_[at_];
      if (depth == 0 && ends.find(c) != std::string_view::npos) {
        return code_.substr(begin, at_++ - begin);
      }
      depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
    }
    fail("the file ends inside a declaration");
  }

  void word() {
    const auto begin = at_;
    const auto name = take_word();
    if (name == "namespace") {
      enter_namespace();
    } else if (name == "using") {
      note_alias(take_until(";"));
    } else if (name == "typedef") {
      note_typedef(take_until(";"));
    } else if (name == kMacro) {
      if (begin != 0 && raw_[begin - 1] != '\n') fail("DECLARE_DISPATCH that does not begin a line");
      declaration();
    }
  }

  void enter_namespace() {
    const auto begin = at_;
    const auto end = code_.find_first_of("{;=", at_);
    if (end == std::string::npos) fail("a namespace without a body");
    at_ = end;
    if (code_[end] != '{') return;  // an alias
    scopes_.push_back(tidied(code_.substr(begin, end - begin)));
    ++at_;
  }

  void note_alias(const std::string& text) {
    const auto equals = text.find('=');
    if (equals != std::string::npos) aliases_[tidied(text.substr(0, equals))] = tidied(text.substr(equals + 1));
  }

  void note_typedef(const std::string& text) {
    const auto open = text.find("(*");
    const auto close = text.find(')', open);
    if (open == std::string::npos || close == std::string::npos) return;
    aliases_[tidied(text.substr(open + 2, close - open - 2))] = tidied(text.substr(0, open + 2) + text.substr(close));
  }

  void declaration() {
    while (at_ < code_.size() && code_[at_] != '(') {
      if (is_word(code_[at_]) || code_[at_] == ';') fail("DECLARE_DISPATCH without arguments");
      ++at_;
    }
    ++at_;
    const auto type = tidied(take_until(","));
    const auto name = tidied(take_until(")"));
    if (name.empty() || !std::all_of(name.begin(), name.end(), is_word)) fail("'" + name + "' is no name of a stub");
    stubs_.push_back({name, header_, signature(type), symbol(name)});
  }

  std::string signature(const std::string& type) const {
    auto text = type;
    for (int depth = 0; text.find("(*)(") == std::string::npos; ++depth) {
      const auto found = aliases_.find(text);
      if (found == aliases_.end() || depth > 8) fail("the type '" + type + "' is not declared in this header");
      text = found->second;
    }
    return text;
  }

  std::string symbol(const std::string& name) const {
    const auto part = [](const std::string& text) { return std::to_string(text.size()) + text; };
    std::string result = "_ZN";
    for (const auto& scope : scopes_) {
      std::istringstream names(scope);
      for (std::string piece; std::getline(names, piece, ':');) {
        if (piece.empty()) continue;
        if (!std::all_of(piece.begin(), piece.end(), is_word)) fail("DECLARE_DISPATCH inside a block");
        result += part(piece);
      }
      if (scope.empty()) fail("DECLARE_DISPATCH inside a nameless namespace");
    }
    return result + part(name) + "E";
  }

  const std::string& raw_;
  const std::string code_;
  const std::string header_;
  std::size_t at_ = 0;
  std::vector<std::string> scopes_;
  std::map<std::string, std::string> aliases_;
  std::vector<DeclaredStub> stubs_;
};

std::string content_of(const std::filesystem::path& file) {
  std::ifstream input(file, std::ios::binary);
  std::ostringstream text;
  text << input.rdbuf();
  if (!input) throw std::runtime_error(file.string() + ": cannot be read");
  return text.str();
}

std::filesystem::path folder_of_aten(const std::vector<std::filesystem::path>& include_folders) {
  for (const auto& folder : include_folders) {
    if (std::filesystem::exists(folder / "ATen/native/DispatchStub.h")) return folder;
  }
  throw std::runtime_error("no include folder has ATen/native/DispatchStub.h");
}

}  // namespace

std::vector<DeclaredStub> read_stubs(const std::string& text, const std::string& header) {
  return Reader(text, header).read();
}

std::vector<DeclaredStub> read_stubs(const std::vector<std::filesystem::path>& include_folders) {
  const auto root = folder_of_aten(include_folders);
  std::vector<std::filesystem::path> headers;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "ATen")) {
    if (entry.is_regular_file() && entry.path().extension() == ".h") headers.push_back(entry.path());
  }
  std::sort(headers.begin(), headers.end());
  std::vector<DeclaredStub> stubs;
  for (const auto& header : headers) {
    const auto text = content_of(header);
    if (text.find(kMacro) == std::string::npos || header.filename() == "DispatchStub.h") continue;
    for (auto& stub : read_stubs(text, header.lexically_relative(root).generic_string())) {
      stubs.push_back(std::move(stub));
    }
  }
  if (stubs.empty()) throw std::runtime_error("no DECLARE_DISPATCH under " + (root / "ATen").string());
  return stubs;
}

}  // namespace openreg::generator
