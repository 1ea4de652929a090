#pragma once

#include <string>
#include <vector>

struct ProgramRun {
  int status = -1;
  std::string output;

  std::vector<std::string> lines() const;
};

/// Runs a shell command; standard error is part of the output.
ProgramRun run_program(const std::string& command);
