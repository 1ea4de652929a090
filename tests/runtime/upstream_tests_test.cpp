#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace openreg::test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// "Suite.Name" of every test in the files of a folder.
std::set<std::string> tests_in(const fs::path& folder) {
  static const std::regex macro(R"(\bTEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\))");
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp") continue;
    const auto text = text_of(entry.path());
    for (std::sregex_iterator i(text.begin(), text.end(), macro), end; i != end; ++i) {
      names.insert((*i)[1].str() + "." + (*i)[2].str());
    }
  }
  return names;
}

TEST(UpstreamTests, EveryMappedTestExists) {
  const fs::path source = OPENREG_SOURCE_DIR;
  const auto page = text_of(source / "docs/upstream_tests.md");
  static const std::regex row(R"(\n\| ([^|]+) \| `(\w+)/(\w+\.\w+)` \|)");
  std::map<std::string, std::set<std::string>> known;
  int rows = 0;
  for (std::sregex_iterator i(page.begin(), page.end(), row), end; i != end; ++i, ++rows) {
    const auto folder = (*i)[2].str();
    if (known.count(folder) == 0) known[folder] = tests_in(source / "tests" / folder);
    EXPECT_EQ(known[folder].count((*i)[3].str()), 1u) << folder << "/" << (*i)[3] << ", for " << (*i)[1];
  }
  EXPECT_GT(rows, 140);
  // No row is written so that it escapes the pattern.
  static const std::regex any_row(R"(\n\| [^|\n]+ \| `)");
  EXPECT_EQ(std::distance(std::sregex_iterator(page.begin(), page.end(), any_row), std::sregex_iterator()), rows);
}

}  // namespace
}  // namespace openreg::test
