#pragma once

#include <string>

// Runs a program as a user's shell would.
struct Finished {
  int status = -1;  // the exit status; -1 when a signal ended it
  std::string out;
  std::string err;
};

// `arguments` and `environment` ("NAME=value NAME2=value2") are shell text.
Finished run(const std::string& program, const std::string& arguments, const std::string& environment = "");

// openreg_demo with these arguments.
Finished demo(const std::string& arguments, const std::string& environment = "");

// The path of a file that cli_files made.
std::string file(const std::string& name);

// Whether the text has this part.
bool has(const std::string& text, const std::string& part);

// What every error must be: status 1, and one line on stderr that has `part`.
void expect_error(const Finished& finished, const std::string& part);
