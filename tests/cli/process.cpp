#include "process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

std::string taken(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  std::filesystem::remove(path);
  return text;
}

}  // namespace

Finished run(const std::string& program, const std::string& arguments, const std::string& environment) {
  const auto base = std::filesystem::temp_directory_path() / ("openreg_cli_" + std::to_string(getpid()));
  const auto out = base.string() + ".out";
  const auto err = base.string() + ".err";
  const auto command = environment + " '" + program + "' " + arguments + " >'" + out + "' 2>'" + err + "' </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, taken(out), taken(err)};
}

Finished demo(const std::string& arguments, const std::string& environment) {
  return run(OPENREG_DEMO, arguments, environment);
}

std::string file(const std::string& name) { return std::string(OPENREG_CLI_FILES) + "/" + name; }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void expect_error(const Finished& finished, const std::string& part) {
  EXPECT_EQ(finished.status, 1) << finished.out << finished.err;
  EXPECT_TRUE(has(finished.err, part)) << "no '" << part << "' in: " << finished.err;
  EXPECT_EQ(finished.err.compare(0, 14, "openreg_demo: "), 0) << finished.err;
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
}
