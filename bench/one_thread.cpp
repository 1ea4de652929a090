#include "one_thread.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>

namespace openreg::bench {

void use_one_thread() {
  at::set_num_threads(1);
  if (void* set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) {
    reinterpret_cast<void (*)(int)>(set)(1);
  }
}

}  // namespace openreg::bench
