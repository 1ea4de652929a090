// Writes the interposed functions of the dispatch trace. Build tool; knows nothing of libtorch but its files.
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "dynamic_symbols.h"
#include "operator_headers.h"
#include "source_writer.h"

int main(int argc, char** argv) {
  if (argc < 5) {
    std::cerr << "usage: openreg_trace_generator OUTPUT_FOLDER PARTS LIBTORCH_CPU INCLUDE_FOLDER...\n";
    return 2;
  }
  try {
    const auto operators = openreg::generator::read_operators({argv + 4, argv + argc});
    openreg::generator::write_sources(operators, openreg::generator::exported_functions(argv[3]), argv[1],
                                      std::stoul(argv[2]));
    std::cout << "dispatch trace: " << operators.size() << " operators\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "openreg_trace_generator: " << error.what() << "\n";
    return 1;
  }
}
