#include "model.h"

int main() { return run_model("openreg:1"); }
