#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/types.h>

#include <iostream>

int main() {
  torch::ones({2}, torch::Device("openreg"));
  std::cout << c10::Dispatcher::singleton().getRegistrationsForDispatchKey(c10::DispatchKey::PrivateUse1).size()
            << '\n';
}
