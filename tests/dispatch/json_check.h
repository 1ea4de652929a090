#pragma once

#include <cctype>
#include <string_view>

/// Whether a text is one JSON value and nothing else.
class JsonCheck {
 public:
  static bool valid(std::string_view text) {
    JsonCheck check(text);
    return check.value() && (check.blanks(), check.at_ == text.size());
  }

 private:
  explicit JsonCheck(std::string_view text) : text_(text) {}

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void blanks() {
    while (std::isspace(static_cast<unsigned char>(peek())) != 0) {
      ++at_;
    }
  }
  bool take(char wanted) {
    blanks();
    return peek() == wanted && ++at_ != 0;
  }
  bool word(std::string_view wanted) {
    const bool found = text_.substr(at_, wanted.size()) == wanted;
    at_ += found ? wanted.size() : 0;
    return found;
  }
  bool string() {
    if (!take('"')) {
      return false;
    }
    for (; peek() != '"'; ++at_) {
      if (static_cast<unsigned char>(peek()) < 0x20) {
        return false;
      }
      at_ += peek() == '\\' ? 1 : 0;
    }
    return ++at_ != 0;
  }
  bool number() {
    const std::size_t begin = at_;
    while (std::isdigit(static_cast<unsigned char>(peek())) != 0 || peek() == '-' || peek() == '.' || peek() == 'e') {
      ++at_;
    }
    return at_ != begin;
  }
  bool members(char end, bool named) {
    if (take(end)) {
      return true;
    }
    do {
      if (named && !(string() && take(':'))) {
        return false;
      }
      if (!value()) {
        return false;
      }
    } while (take(','));
    return take(end);
  }
  bool value() {
    blanks();
    switch (peek()) {
      case '{':
        return take('{') && members('}', true);
      case '[':
        return take('[') && members(']', false);
      case '"':
        return string();
      default:
        return word("true") || word("false") || word("null") || number();
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};
