#pragma once

namespace openreg::bench {

// add, abs, mm and convolution over the sizes that show dispatch cost, cache and memory bandwidth.
void add_operator_cases();

}  // namespace openreg::bench
