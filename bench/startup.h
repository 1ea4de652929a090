#pragma once

#include <string>
#include <vector>

namespace openreg::bench {

// What a program pays that links openreg: started, ended, and on disk.
struct Startup {
  std::string program;
  double milliseconds = 0;  // processor time from exec to exit, median
  double megabytes = 0;     // of the file, without debug information
};

// Runs the programs that lie beside this one. Empty when they are not there.
std::vector<Startup> measure_startup(const std::string& folder, int repetitions);

}  // namespace openreg::bench
