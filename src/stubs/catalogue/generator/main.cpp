// Writes the table of libtorch's DispatchStubs. Build tool; knows nothing of libtorch but its headers.
#include <exception>
#include <iostream>

#include "stub_headers.h"
#include "stub_table_writer.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: openreg_stub_generator OUTPUT_FILE INCLUDE_FOLDER...\n";
    return 2;
  }
  try {
    const auto stubs = openreg::generator::read_stubs({argv + 2, argv + argc});
    openreg::generator::write_stub_table(stubs, argv[1]);
    std::cout << "stub catalogue: " << stubs.size() << " stubs\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "openreg_stub_generator: " << error.what() << "\n";
    return 1;
  }
}
