// Which functions are interposed, in which kinds of program, and what is said where it cannot work.
#include <elf.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "dynamic_symbols.h"
#include "operator_headers.h"
#include "run_program.h"

namespace fs = std::filesystem;

namespace {

const std::string kOn = "TORCH_SHOW_DISPATCH_TRACE=1 ";

std::vector<std::string> paths(const std::string& joined) {
  std::vector<std::string> result;
  std::istringstream input(joined);
  for (std::string path; std::getline(input, path, ':');) {
    result.push_back(path);
  }
  return result;
}

// The struct names of the installed headers, counted in the plainest way.
std::map<std::string, int> structs() {
  std::map<std::string, int> found;
  for (const auto& folder : paths(OPENREG_LIBTORCH_INCLUDES)) {
    if (!found.empty() || !fs::is_directory(folder + "/ATen/ops")) {
      continue;
    }
    for (const auto& entry : fs::directory_iterator(folder + "/ATen/ops")) {
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        const std::string head = "struct TORCH_API ";
        if (entry.path().string().ends_with("_ops.h") && line.starts_with(head)) {
          ++found[line.substr(head.size(), line.find(' ', head.size()) - head.size())];
        }
      }
    }
  }
  return found;
}

std::size_t count_prefix(const std::vector<std::string>& symbols, const std::string& prefix) {
  const auto begin = std::ranges::lower_bound(symbols, prefix);
  return static_cast<std::size_t>(
      std::find_if(begin, symbols.end(), [&](const std::string& name) { return !name.starts_with(prefix); }) - begin);
}

std::string last_line(const ProgramRun& run) { return run.lines().empty() ? "" : run.lines().back(); }

class Program : public testing::TestWithParam<std::string> {};

}  // namespace

TEST(InterposedOperators, AreThoseOfTheHeadersOnceEach) {
  const auto names = structs();
  EXPECT_GT(names.size(), 3000U);
  for (const char* const file : {OPENREG_TRACE_PROGRAMS, OPENREG_TRACE_PRELOAD}) {
    const auto symbols = openreg::generator::exported_functions(file);
    for (const auto& [name, count] : names) {
      EXPECT_EQ(count, 1) << name;
      const std::string prefix = "_ZN2at4_ops" + std::to_string(name.size()) + name;
      EXPECT_EQ(count_prefix(symbols, prefix + "4callE"), 1U) << name;
      EXPECT_EQ(count_prefix(symbols, prefix + "10redispatchE"), 1U) << name;
    }
    EXPECT_EQ(count_prefix(symbols, "_ZN2at4_ops"), 2 * names.size()) << file;
  }
}

TEST_P(Program, TracesInsideLibtorch) {
  const auto run = run_program(kOn + GetParam() + " factory");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(last_line(run), "     [redispatch] op=[aten::fill_.Scalar], key=[CPU]") << run.output;
  EXPECT_EQ(run.lines().size(), 13U) << run.output;
}

INSTANTIATE_TEST_SUITE_P(Linked, Program, testing::ValuesIn(paths(OPENREG_PROGRAMS_THAT_WORK)),
                         [](const auto& each) { return fs::path(each.param).filename().string(); });

TEST(HiddenSymbols, AreToldInOneLineAndNothingBreaks) {
  const auto off = run_program(std::string(OPENREG_PROGRAM_HIDDEN) + " factory");
  EXPECT_EQ(off.output, "-- at::ones\n");
  EXPECT_EQ(off.status, 0);
  const auto on = run_program(kOn + OPENREG_PROGRAM_HIDDEN + " factory");
  EXPECT_EQ(on.status, 0);
  ASSERT_FALSE(on.lines().empty());
  EXPECT_TRUE(on.lines()[0].starts_with("openreg: TORCH_SHOW_DISPATCH_TRACE: ")) << on.output;
  EXPECT_NE(on.lines()[0].find("--version-script"), std::string::npos) << on.output;
  EXPECT_EQ(std::ranges::count_if(on.lines(), [](const auto& line) { return line.starts_with("openreg:"); }), 1);
}

// libtorch as a linker with -Bsymbolic would leave it: a copy with DF_SYMBOLIC among its dynamic flags.
TEST(SymbolicLibtorch, IsToldInOneLineAndNothingBreaks) {
  const fs::path copy =
      fs::temp_directory_path() / fs::path(OPENREG_TRACE_PROGRAMS).filename().concat("_libtorch_cpu.so");
  fs::copy_file(OPENREG_LIBTORCH_CPU, copy, fs::copy_options::overwrite_existing);
  {
    std::fstream file(copy, std::ios::in | std::ios::out | std::ios::binary);
    Elf64_Ehdr header;
    file.read(reinterpret_cast<char*>(&header), sizeof header);
    bool patched = false;
    for (int i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr segment;
      file.seekg(static_cast<std::streamoff>(header.e_phoff) + i * header.e_phentsize);
      file.read(reinterpret_cast<char*>(&segment), sizeof segment);
      for (std::uint64_t at = 0; segment.p_type == PT_DYNAMIC && at < segment.p_filesz; at += sizeof(Elf64_Dyn)) {
        Elf64_Dyn entry;
        file.seekg(static_cast<std::streamoff>(segment.p_offset + at));
        file.read(reinterpret_cast<char*>(&entry), sizeof entry);
        if (entry.d_tag == DT_FLAGS) {
          entry.d_un.d_val |= DF_SYMBOLIC;
          file.seekp(static_cast<std::streamoff>(segment.p_offset + at));
          file.write(reinterpret_cast<const char*>(&entry), sizeof entry);
          patched = true;
          break;
        }
      }
    }
    ASSERT_TRUE(patched);
  }
  const std::string preload = "LD_PRELOAD=" + copy.string() + " ";
  const auto off = run_program(preload + OPENREG_TRACE_PROGRAMS + " factory");
  EXPECT_EQ(off.output, "-- at::ones\n");
  const auto on = run_program(kOn + preload + OPENREG_TRACE_PROGRAMS + " factory");
  fs::remove(copy);
  EXPECT_EQ(on.status, 0);
  ASSERT_FALSE(on.lines().empty());
  EXPECT_TRUE(on.lines()[0].starts_with("openreg: TORCH_SHOW_DISPATCH_TRACE: ")) << on.output;
  EXPECT_NE(on.lines()[0].find("-Bsymbolic"), std::string::npos) << on.output;
}
