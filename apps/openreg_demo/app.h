#pragma once

namespace openreg::demo {

// The program: reads the command line, runs what it asks for and returns the exit status. Never throws.
int run_program(int argc, char** argv);

}  // namespace openreg::demo
