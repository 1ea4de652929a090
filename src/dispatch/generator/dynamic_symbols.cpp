#include "dynamic_symbols.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace openreg::generator {
namespace {

template <typename T>
std::vector<T> read_array(std::ifstream& file, std::uint64_t offset, std::size_t count) {
  std::vector<T> values(count);
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(T)));
  if (!file) {
    throw std::runtime_error("the file ends too early");
  }
  return values;
}

std::vector<std::string> read_functions(std::ifstream& file) {
  const auto header = read_array<Elf64_Ehdr>(file, 0, 1).front();
  if (std::memcmp(header.e_ident, "!<arch>", 7) == 0) {
    throw std::runtime_error(
        "a static library cannot be interposed; the dispatch trace needs libtorch as a shared one");
  }
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) {
    throw std::runtime_error("not a 64-bit ELF file");
  }
  const auto sections = read_array<Elf64_Shdr>(file, header.e_shoff, header.e_shnum);
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_DYNSYM) {
      continue;
    }
    const auto symbols = read_array<Elf64_Sym>(file, section.sh_offset, section.sh_size / sizeof(Elf64_Sym));
    const Elf64_Shdr& strings = sections.at(section.sh_link);
    const auto text = read_array<char>(file, strings.sh_offset, strings.sh_size);
    std::vector<std::string> names;
    for (const Elf64_Sym& symbol : symbols) {
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF && symbol.st_name < text.size()) {
        names.emplace_back(&text[symbol.st_name]);
      }
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }
  throw std::runtime_error("no dynamic symbol table");
}

}  // namespace

std::vector<std::string> exported_functions(const std::filesystem::path& library) {
  std::ifstream file(library, std::ios::binary);
  if (!file) {
    throw std::runtime_error(library.string() + ": cannot be read");
  }
  try {
    return read_functions(file);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(library.string() + ": " + error.what());
  }
}

std::string only_symbol(const std::vector<std::string>& symbols, const std::string& prefix, const std::string& part,
                        const std::string& without) {
  std::string found;
  for (auto at = std::lower_bound(symbols.begin(), symbols.end(), prefix);
       at != symbols.end() && at->compare(0, prefix.size(), prefix) == 0; ++at) {
    if (at->find(part) == std::string::npos || at->find(without) != std::string::npos) {
      continue;
    }
    if (!found.empty()) {
      throw std::runtime_error("the library exports more than one " + prefix + "...: " + found + ", " + *at);
    }
    found = *at;
  }
  if (found.empty()) {
    throw std::runtime_error("the library does not export " + prefix + "...");
  }
  return found;
}

}  // namespace openreg::generator
