#include "error_text.h"

#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <stdexcept>

using openreg::demo::error_line;

TEST(ErrorLine, HasNoBacktrace) {
  try {
    TORCH_CHECK(false, "the reason");
  } catch (const c10::Error& error) {
    EXPECT_EQ(error_line(error), "the reason");
  }
}

TEST(ErrorLine, OfTorchScriptIsWhatWentWrong) {
  const std::string stack =
      "The following operation failed in the TorchScript interpreter.\n"
      "Traceback of TorchScript (most recent call last):\n  File \"m.py\", line 3, in forward\n"
      "        return torch.mm(x, x)\n               ~~~~~~~~ <--- HERE\n";
  EXPECT_EQ(error_line(std::runtime_error(stack + "RuntimeError: shapes do not fit\n")), "shapes do not fit");
  EXPECT_EQ(error_line(std::runtime_error(stack + "builtins.ValueError: no\n")), "builtins.ValueError: no");
}

TEST(ErrorLine, IsTheFirstLine) {
  EXPECT_EQ(error_line(std::runtime_error("\n first\nsecond")), "first");
  EXPECT_EQ(error_line(std::runtime_error("")), "an error without a text");
}
