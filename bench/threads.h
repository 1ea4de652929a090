#pragma once

namespace openreg::bench {

// How much more two threads do than one, each with operators of its own, on the CPU and on openreg.
void print_two_threads();

}  // namespace openreg::bench
