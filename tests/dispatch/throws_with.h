#pragma once

#include <string>

#include <c10/util/Exception.h>
#include <gtest/gtest.h>

/// Expects a c10::Error whose message contains `text`.
#define EXPECT_THROWS_WITH(expression, text)                     \
  try {                                                          \
    static_cast<void>(expression);                               \
    ADD_FAILURE() << #expression " did not throw";               \
  } catch (const c10::Error& error) {                            \
    const std::string message = error.what_without_backtrace();  \
    EXPECT_NE(message.find(text), std::string::npos) << message; \
  }
