#include "error_text.h"

#include <c10/util/Exception.h>

#include <array>
#include <string_view>

namespace openreg::demo {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// TorchScript writes its own call stack first and the error itself last, behind the name of its Python class. A
// model's own `raise` comes as "builtins.ValueError: ...", "torch.jit.Error: ..." or the bare class.
std::string_view skip_script_stack(std::string_view text) {
  constexpr std::string_view kStack = "The following operation failed in the TorchScript interpreter.";
  if (text.find(kStack) == std::string_view::npos) {
    return text;
  }
  const auto line_with_error = [&](std::string_view word) {
    const auto at = text.rfind(word);
    return at == std::string_view::npos ? at : text.rfind('\n', at) + 1;
  };
  if (const auto start = line_with_error("RuntimeError: "); start != std::string_view::npos) {
    return text.substr(start + std::string_view("RuntimeError: ").size());
  }
  if (const auto start = line_with_error("Error: "); start != std::string_view::npos) {
    return text.substr(start);
  }
  return text;
}

}  // namespace

std::string error_line(const std::exception& error) {
  const auto* const c10_error = dynamic_cast<const c10::Error*>(&error);
  const std::string full = c10_error != nullptr ? c10_error->what_without_backtrace() : error.what();
  auto text = skip_script_stack(full);
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  text = text.substr(0, text.find('\n'));
  // Where an error carries C++ frames in its text, they begin so.
  text = text.substr(0, text.find("Exception raised from "));
  text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
  return text.empty() ? "an error without a text" : std::string(text);
}

}  // namespace openreg::demo
