#pragma once

namespace openreg::bench {

// From now on this thread computes alone, also in a BLAS with threads of its own, which at::set_num_threads does not
// reach: where they must share processors, a product of small matrices takes milliseconds now and then.
void use_one_thread();

}  // namespace openreg::bench
