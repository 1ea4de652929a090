#include "app.h"

int main(int argc, char** argv) { return openreg::demo::run_program(argc, argv); }
