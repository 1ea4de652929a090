#include "support/errors.h"

#include <c10/util/Exception.h>

namespace openreg::test {

std::string error_of(const std::function<void()>& function) {
  try {
    function();
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "\"" << text << "\" does not contain \"" << part << "\"";
}

testing::AssertionResult throws(const std::function<void()>& function, const std::string& part) {
  const auto text = error_of(function);
  if (text.empty()) {
    return testing::AssertionFailure() << "nothing was thrown; expected \"" << part << "\"";
  }
  return contains(text, part);
}

testing::AssertionResult throw_alike(const std::function<void()>& a, const std::function<void()>& b) {
  const auto first = error_of(a);
  const auto second = error_of(b);
  if (!first.empty() && first == second) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "\"" << first << "\" and \"" << second << "\"";
}

}  // namespace openreg::test
