#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace openreg::test {

// What `function` throws, without the C++ backtrace; "" when it throws nothing.
std::string error_of(const std::function<void()>& function);

// `text` has `part` in it.
testing::AssertionResult contains(const std::string& text, const std::string& part);

// `function` throws, and the text has `part` in it.
testing::AssertionResult throws(const std::function<void()>& function, const std::string& part);

// Both throw, and word for word the same.
testing::AssertionResult throw_alike(const std::function<void()>& a, const std::function<void()>& b);

}  // namespace openreg::test
