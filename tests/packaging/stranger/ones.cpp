#include <ATen/ops/ones.h>

#include <cstdio>

int main() { std::printf("%d elements\n", static_cast<int>(at::ones({2, 2}).numel())); }
