#pragma once

#include <string>

namespace openreg::demo {

// The bytes of a TorchScript file: a small multi-layer perceptron with abs between its layers, weights from a fixed
// seed, and a method `example` that gives its inputs.
std::string bundled_model();

}  // namespace openreg::demo
