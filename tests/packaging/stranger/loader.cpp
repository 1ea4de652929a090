#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/util/Exception.h>
#include <dlfcn.h>

#include <cstdio>
#include <string>

// loader PLUGIN STEP...: opens the plugin and takes steps: run, init, throw, close, keep (a tensor until exit), exit.
namespace {

at::Tensor kept;

template <typename Function>
Function* symbol(void* plugin, const char* name) {
  return reinterpret_cast<Function*>(dlsym(plugin, name));
}

// The exception crosses the border of the plugin, which has a c10 error's type information of its own.
int catch_from(void (*thrower)()) {
  int caught = 0;
  try {
    thrower();
  } catch (const c10::Error& error) {
    std::printf("c10::Error: %s\n", error.what_without_backtrace());
    ++caught;
  }
  try {
    thrower();
  } catch (const std::exception&) {
    std::puts("std::exception");
    ++caught;
  }
  return caught == 2 ? 0 : 3;
}

}  // namespace

int main(int count, char** arguments) {
  void* plugin = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    std::printf("dlopen: %s\n", dlerror());
    return 4;
  }
  int status = 0;
  for (int i = 2; i < count; ++i) {
    const std::string step = arguments[i];
    if (step == "run") status |= symbol<int()>(plugin, "plugin_run")();
    if (step == "init") status |= symbol<int()>(plugin, "plugin_init")();
    if (step == "throw") status |= catch_from(symbol<void()>(plugin, "plugin_throw"));
    if (step == "keep") kept = at::empty({16}, c10::Device("openreg"));
    if (step == "close") std::printf("dlclose: %d\n", dlclose(plugin));
    if (step == "use") std::printf("kept sum %g\n", kept.zero_().sum().item<double>());
  }
  return status;
}
