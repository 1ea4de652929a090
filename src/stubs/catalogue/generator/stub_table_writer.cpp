#include "stub_table_writer.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace openreg::generator {

void write_stub_table(const std::vector<DeclaredStub>& stubs, const std::filesystem::path& file) {
  std::ostringstream out;
  out << "// Generated from the headers of libtorch.\n#include \"stubs/catalogue/declared_stubs.h\"\n\n"
      << "namespace openreg::stubs {\nnamespace {\nconstexpr DeclaredStub table[] = {\n";
  for (const auto& stub : stubs) {
    out << "    {\"" << stub.name << "\", \"" << stub.header << "\", \"" << stub.signature << "\", \"" << stub.symbol
        << "\"},\n";
  }
  out << "};\n}  // namespace\nconst DeclaredStub* const declared_stubs = table;\n"
      << "const std::size_t declared_stub_count = " << stubs.size() << ";\n}  // namespace openreg::stubs\n";

  std::ostringstream old;
  old << std::ifstream(file).rdbuf();
  if (old.str() == out.str()) return;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream written(file, std::ios::trunc);
  if (!(written << out.str()).flush()) throw std::runtime_error(file.string() + ": cannot be written");
}

}  // namespace openreg::generator
