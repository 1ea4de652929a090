// Adds tensors of one element; the last addition stands between two signals, for whoever counts its instructions.
#include <csignal>

#include <ATen/Parallel.h>
#include <ATen/ops/add.h>
#include <ATen/ops/ones.h>

int main() {
  std::signal(SIGUSR1, SIG_IGN);
  at::set_num_threads(1);
  const at::Tensor x = at::ones({1});
  for (int i = 0; i < 100; ++i) {
    at::add(x, x);
  }
  std::raise(SIGUSR1);
  at::add(x, x);
  std::raise(SIGUSR1);
  return 0;
}
