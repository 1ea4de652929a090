// openreg_demo with a kernel made wrong: openreg_demo_wrong abs|fallback [ARGUMENTS of openreg_demo]
#include <ATen/ATen.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/UnaryOps.h>
#include <openreg/host_view.h>
#include <openreg/openreg.h>

#include <iostream>
#include <string>

#include "app.h"
#include "fallback/boxed.h"

namespace {

void copy_input_to_output(at::TensorIteratorBase& iter) { iter.tensor(0).copy_(iter.tensor(1)); }

// Through a host view: an operator on the device would come back here.
void zero(at::Tensor& result) {
  if (result.defined() && result.numel() > 0) {
    openreg::MutableHostView view(result);
    view.tensor().zero_();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string wrong = argc > 1 ? argv[1] : "";
  openreg::init();
  if (wrong == "abs") {
    using namespace at::native;  // the macro names the stub's type without its namespace
    REGISTER_PRIVATEUSE1_DISPATCH(abs_stub, &copy_input_to_output);
  } else if (wrong == "fallback") {
    openreg::fallback::set_result_hook(&zero);
  } else {
    std::cerr << "say what shall be wrong: abs or fallback\n";
    return 2;
  }
  return openreg::demo::run_program(argc - 1, argv + 1);
}
