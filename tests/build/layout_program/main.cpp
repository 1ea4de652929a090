#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>

#include <cstdio>

int main() {
  const double sum = at::ones({2, 3}).sum().item<double>();
  std::printf("sum %g\n", sum);
  return sum == 6 ? 0 : 1;
}
