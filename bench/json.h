#pragma once

#include <string>
#include <vector>

#include "measure.h"
#include "startup.h"

namespace openreg::bench {

// Everything that one run found.
struct Results {
  std::string libtorch;
  double copy_gigabytes_per_second = 0;  // the machine's own speed of copying, one thread
  std::vector<Row> rows;
  std::vector<Startup> startup;
};

// Writes the results, one row a line. Throws std::runtime_error when the file cannot be written.
void write_json(const Results& results, const std::string& file);

// Prints how the ratios to the CPU of two files differ; a change counts beyond both spreads and 10 %. Returns how
// many rows of openreg became slower.
int compare_json(const std::string& before, const std::string& after);

}  // namespace openreg::bench
