#include "model.h"

// The static library between the program and openreg.
int run_from_library() { return run_model("openreg"); }
