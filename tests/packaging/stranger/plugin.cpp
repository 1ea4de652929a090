#include <openreg/openreg.h>

#include <cstdio>
#include <exception>
#include <string>

#include "model.h"

// A plugin with openreg inside, of which the program sees these functions only.
extern "C" [[gnu::visibility("default")]] int plugin_run() { return run_model("openreg:1"); }

extern "C" [[gnu::visibility("default")]] int plugin_init() {
  try {
    openreg::init();
    std::puts("plugin: init is done");
    return 0;
  } catch (const std::exception& error) {
    const std::string text = error.what();
    std::printf("plugin: %s\n", text.substr(0, text.find('\n')).c_str());
    return 2;
  }
}

extern "C" [[gnu::visibility("default")]] void plugin_throw() { openreg::parse_device("openreg:99"); }
