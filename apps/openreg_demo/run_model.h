#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace openreg::demo {

struct RunOptions {
  std::string model;  // a TorchScript file; "" is the bundled model
  std::string device;
  std::vector<std::string> inputs;  // see input_spec.h; none: the model's method `example`
  std::int64_t seed = 0;
  double tolerance = 1e-5;
  int repeat = 1;
};

// Loads the model twice, runs it on the CPU and on the device and prints how the outputs compare. Returns the exit
// status: 1, and a line on stderr, when an output differs. Throws c10::Error for whatever else goes wrong.
int run_model(const RunOptions& options);

}  // namespace openreg::demo
