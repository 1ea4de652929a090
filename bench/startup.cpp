#include "startup.h"

#include <elf.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "measure.h"

namespace openreg::bench {
namespace {

double milliseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

double run_once(const std::string& program) {
  const pid_t child = fork();
  if (child == 0) {
    execl(program.c_str(), program.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  return status == 0 ? milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime) : 0;
}

// What is loaded into memory: the file without its debug information.
double loaded_megabytes(const std::string& program) {
  std::ifstream file(program, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  double bytes = 0;
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part{};
    file.seekg(static_cast<std::streamoff>(header.e_phoff) + i * header.e_phentsize);
    file.read(reinterpret_cast<char*>(&part), sizeof part);
    bytes += part.p_type == PT_LOAD ? static_cast<double>(part.p_filesz) : 0;
  }
  return bytes / (1 << 20);
}

}  // namespace

std::vector<Startup> measure_startup(const std::string& folder, int repetitions) {
  const std::vector<std::pair<const char*, const char*>> programs{{"bench_start_plain", "libtorch alone"},
                                                                  {"bench_start_linked", "openreg linked, not used"},
                                                                  {"bench_start_used", "openreg linked, one tensor"}};
  std::map<std::string, std::vector<double>> times;
  for (int i = 0; i < repetitions; ++i) {
    for (const auto& [program, text] : programs) {
      const auto path = folder + "/" + program;
      if (std::filesystem::exists(path)) {
        times[text].push_back(run_once(path));
      }
    }
  }
  std::vector<Startup> result;
  for (const auto& [program, text] : programs) {
    if (times.count(text) != 0) {
      result.push_back({text, spread_of(times[text]).median, loaded_megabytes(folder + "/" + program)});
    }
  }
  return result;
}

}  // namespace openreg::bench
