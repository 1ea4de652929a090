#pragma once

namespace openreg::bench {

// Operators over the sizes that show dispatch cost, cache and memory bandwidth.
void add_operator_cases();

}  // namespace openreg::bench
