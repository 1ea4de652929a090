#include "run_program.h"

#include <array>
#include <cstdio>
#include <sstream>
#include <stdexcept>

std::vector<std::string> ProgramRun::lines() const {
  std::vector<std::string> result;
  std::istringstream input(output);
  for (std::string line; std::getline(input, line);) {
    result.push_back(line);
  }
  return result;
}

ProgramRun run_program(const std::string& command) {
  ProgramRun result;
  std::FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) {
    throw std::runtime_error("cannot run " + command);
  }
  std::array<char, 4096> part;
  for (std::size_t count = 0; (count = std::fread(part.data(), 1, part.size(), pipe)) > 0;) {
    result.output.append(part.data(), count);
  }
  result.status = pclose(pipe);
  return result;
}
