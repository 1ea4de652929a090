// The least that a program needs: link openreg::openreg, name the device.
#include <openreg/fallback.h>
#include <torch/torch.h>

#include <iostream>

int main() {
  const torch::Device device("openreg");
  torch::nn::Sequential model(torch::nn::Linear(4, 8), torch::nn::ReLU(), torch::nn::Linear(8, 2));
  const auto input = torch::randn({3, 4});
  const auto expected = model->forward(input);

  model->to(device);
  openreg::LedgerScope ledger;  // counts what runs on the device
  const auto output = model->forward(input.to(device));

  std::cout << "on " << output.device() << ":\n" << output.cpu() << '\n' << openreg::ledger_table(ledger.entries());
  return torch::allclose(expected, output.cpu()) ? 0 : 1;
}
