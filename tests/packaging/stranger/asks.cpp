#include <ATen/ops/ones.h>
#include <openreg/dispatch.h>

#include <cstdio>

// Asks the dispatcher, in a program without the device.
int main() {
  namespace dispatch = openreg::dispatch;
  std::puts(dispatch::key_set(at::ones({1})).c_str());
  std::puts(dispatch::key_name(dispatch::key_parse("autograd_private-use-1")).c_str());
  const auto key = c10::DispatchKey::PrivateUse1;
  std::printf("kernel of abs for the device: %d, fallback: %d\n",
              dispatch::has_kernel_for_dispatch_key("aten::abs.out", key) ? 1 : 0,
              dispatch::has_backend_fallback(key) ? 1 : 0);
  try {
    dispatch::dump_table("aten::ad.Tensor");
    return 1;
  } catch (const c10::Error& error) {
    std::puts(error.what_without_backtrace());
    return 0;
  }
}
