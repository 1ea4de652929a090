#include <openreg/openreg.h>

#include "model.h"

// Names one function of openreg, so that even a plain archive brings the registrations along.
int main() {
  openreg::init();
  return run_model("openreg:1");
}
