#include "source_text.h"

#include <algorithm>
#include <cctype>

namespace openreg::generator {
namespace {

// Blanks text[begin, end), line breaks excepted.
void blank(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < std::min(end, text.size()); ++i) {
    if (text[i] != '\n') text[i] = ' ';
  }
}

std::size_t after(const std::string& text, std::string_view what, std::size_t from) {
  const auto found = text.find(what, from);
  return found == std::string::npos ? text.size() : found + what.size();
}

std::size_t end_of_literal(const std::string& text, std::size_t open) {
  std::size_t i = open + 1;
  while (i < text.size() && text[i] != text[open]) {
    i += text[i] == '\\' ? 2 : 1;
  }
  return i;
}

std::size_t end_of_directive(const std::string& text, std::size_t begin) {
  auto end = text.find('\n', begin);
  while (end != std::string::npos && end > 0 && text[end - 1] == '\\') {
    end = text.find('\n', end + 1);
  }
  return std::min(end, text.size());
}

}  // namespace

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string code_of(std::string_view source) {
  std::string text(source);
  bool line_start = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto two = std::string_view(text).substr(i, 2);
    std::size_t end = i;
    if (two == "//") {
      end = std::min(text.find('\n', i), text.size());
      blank(text, i, end);
    } else if (two == "/*") {
      end = after(text, "*/", i + 2);
      blank(text, i, end);
    } else if (text[i] == '#' && line_start) {
      end = end_of_directive(text, i);
      blank(text, i, end);
    } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !is_word(text[i - 1])))) {
      end = end_of_literal(text, i);
      blank(text, i + 1, end);
      line_start = false;
      i = end;
      continue;
    }
    if (end != i) {
      i = end - 1;
      continue;
    }
    line_start = text[i] == '\n' || (line_start && std::isspace(static_cast<unsigned char>(text[i])) != 0);
  }
  return text;
}

std::string tidied(std::string_view code) {
  std::string result;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (std::isspace(static_cast<unsigned char>(code[i])) == 0) {
      result += code[i];
      if (code[i] == ',') result += ' ';
      continue;
    }
    while (i + 1 < code.size() && std::isspace(static_cast<unsigned char>(code[i + 1])) != 0) ++i;
    const char before = result.empty() ? ' ' : result.back();
    const char next = i + 1 < code.size() ? code[i + 1] : ' ';
    // Words need the blank between them; so does a name after "&", "*" or ">", for the eye.
    if (is_word(next) && (is_word(before) || before == '&' || before == '*' || before == '>')) result += ' ';
  }
  return result;
}

}  // namespace openreg::generator
