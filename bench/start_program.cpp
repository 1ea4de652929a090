// The least program: what it costs to start with and without openreg.
#include <ATen/ops/ones.h>

int main() {
#ifdef BENCH_USES_OPENREG
  return at::ones({1}, at::Device("openreg")).numel() == 1 ? 0 : 1;
#else
  return at::ones({1}).numel() == 1 ? 0 : 1;
#endif
}
