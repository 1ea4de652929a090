#pragma once

#include <string>

// A small network (convolution, abs, linear, softmax), the same numbers each time.
// Runs it on the CPU and on `device` and prints "DEVICE agrees with the CPU". Returns what main should.
int run_model(const std::string& device);
