#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "process.h"

namespace {

// The line that begins with this variable's name, blanks made one.
std::string row(const Finished& finished, const std::string& variable) {
  std::istringstream lines(finished.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(variable + " ")) {
      std::istringstream words(line);
      std::string result;
      for (std::string word; words >> word;) {
        result += (result.empty() ? "" : " ") + word;
      }
      return result;
    }
  }
  return "";
}

void expect_row(const Finished& finished, const std::string& variable, const std::string& value) {
  EXPECT_EQ(row(finished, variable).find(variable + " " + value + " "), 0U)
      << "no '" << variable << " " << value << "' in:\n"
      << finished.out;
}

}  // namespace

TEST(Info, NamesVersionsAndDevices) {
  const auto finished = demo("info", "OPENREG_DEVICE_COUNT=3");
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_TRUE(has(finished.out, "libtorch")) << finished.out;
  EXPECT_TRUE(has(finished.out, "openreg:2")) << finished.out;
  EXPECT_FALSE(has(finished.out, "openreg:3")) << finished.out;
}

// docs/environment.md has two tables: what openreg reads, and then what building and testing read.
TEST(Info, HasEachVariableOfThePage) {
  const auto finished = demo("info");
  std::ifstream page(OPENREG_ENVIRONMENT_PAGE);
  std::size_t checked = 0;
  for (std::string line; std::getline(page, line) && line.find("building and testing") == std::string::npos;) {
    if (line.starts_with("| `OPENREG_")) {
      const auto name = line.substr(3, line.find('`', 3) - 3);
      EXPECT_NE(row(finished, name), "") << name << " is not in:\n" << finished.out;
      ++checked;
    }
  }
  EXPECT_GE(checked, 14U);
}

TEST(Info, ShowsWhatIsInForce) {
  const auto by_default = demo("info", "env -u OPENREG_FALLBACK_WARN");
  expect_row(by_default, "OPENREG_DEVICE_COUNT", "2 default");
  expect_row(by_default, "OPENREG_MEMORY_LIMIT", "no limit default");
  expect_row(by_default, "OPENREG_FALLBACK_FORBID", "aten::abs,aten::abs.out default");
  expect_row(by_default, "OPENREG_FALLBACK_WARN", "once default");
  expect_row(by_default, "OPENREG_DISABLE", "0 default");
  const auto given = demo("info",
                          "OPENREG_MEMORY_LIMIT=1M OPENREG_FALLBACK_FORBID= OPENREG_FALLBACK_WARN=always "
                          "OPENREG_HOST_ACCESS=staged OPENREG_FORWARDED=0 OPENREG_ASYNC=1 OPENREG_FALLBACK=off");
  expect_row(given, "OPENREG_MEMORY_LIMIT", "1048576 set");
  expect_row(given, "OPENREG_FALLBACK_FORBID", "none");
  expect_row(given, "OPENREG_FALLBACK_WARN", "always set");
  expect_row(given, "OPENREG_HOST_ACCESS", "staged set");
  expect_row(given, "OPENREG_FORWARDED", "0 set");
  expect_row(given, "OPENREG_ASYNC", "1 set");
  expect_row(given, "OPENREG_FALLBACK", "off set");
}

TEST(Info, WithoutTheDevice) {
  const auto finished = demo("info", "OPENREG_DISABLE=1");
  EXPECT_EQ(finished.status, 0) << finished.err;
  expect_row(finished, "OPENREG_DISABLE", "1 set");
  EXPECT_FALSE(has(finished.out, "openreg:0")) << finished.out;
}

TEST(Info, TheLogTellsWhatItsLevelAsksFor) {
  const std::string ready = "[openreg] [info] devices are ready: 2, host access mapped, fallback global";
  EXPECT_FALSE(has(demo("run", "OPENREG_LOG_LEVEL=warn").err, "[openreg]"));
  EXPECT_TRUE(has(demo("run", "OPENREG_LOG_LEVEL=info").err, ready));
  const auto all = demo("run", "OPENREG_LOG_LEVEL=debug");
  EXPECT_TRUE(has(all.err, ready)) << all.err;
  EXPECT_TRUE(has(all.err, "[openreg] [debug] openreg:0: ")) << all.err;
  const auto full = demo("run", "OPENREG_LOG_LEVEL=warn OPENREG_MEMORY_LIMIT=256K");
  EXPECT_TRUE(has(full.err, "[openreg] [warning] openreg:0 has no room for a block of ")) << full.err;
}
