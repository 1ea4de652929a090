// Small programs on the openreg device whose trace is compared with a committed one: `trace_programs_openreg NAME`.
#include <iostream>
#include <map>
#include <string>

#include <ATen/ops/abs.h>
#include <ATen/ops/cumprod.h>
#include <ATen/ops/ones.h>
#include <openreg/openreg.h>

namespace {

at::Tensor leaf() {
  return at::ones({2, 2}, at::TensorOptions().device(openreg::parse_device("openreg"))).requires_grad_();
}

void abs_with_grad(const at::Tensor& x) { at::abs(x); }
void fallback(const at::Tensor& x) { at::cumprod(x, 0); }

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)(const at::Tensor&)> programs{{"abs_with_grad", abs_with_grad},
                                                                    {"fallback", fallback}};
  const auto program = argc == 2 ? programs.find(argv[1]) : programs.end();
  if (program == programs.end()) {
    std::cerr << "usage: trace_programs_openreg NAME\n";
    return 2;
  }
  const at::Tensor input = leaf();
  std::cerr << "-- run\n";
  program->second(input);
  return 0;
}
