#include <c10/core/GradMode.h>
#include <torch/version.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "dispatch.h"
#include "json.h"
#include "memory.h"
#include "models.h"
#include "one_thread.h"
#include "operators.h"
#include "page.h"

// openreg_bench [WORD] [--quick] [--json FILE] [--page FOLDER]
//   every case, or those whose name or group holds WORD; --page writes performance.md and performance.svg
// openreg_bench --compare A.json B.json
//   status 1 if something became slower
namespace {

using namespace openreg::bench;

struct CommandLine {
  std::string word;
  std::string json;
  std::string page;
  std::vector<std::string> compare;
  Effort effort;
};

CommandLine parse(int argc, char** argv) {
  CommandLine line;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&] {
      if (++i >= argc) {
        throw std::runtime_error(word + " needs a value");
      }
      return std::string(argv[i]);
    };
    if (word == "--quick") {
      line.effort = {5, 500};
    } else if (word == "--json") {
      line.json = next();
    } else if (word == "--page") {
      line.page = next();
    } else if (word == "--compare") {
      line.compare = {next(), next()};
    } else if (word.rfind("--", 0) == 0) {
      throw std::runtime_error(word + " is unknown: --quick, --json FILE, --page FOLDER, --compare A.json B.json");
    } else {
      line.word = word;
    }
  }
  return line;
}

// Bytes read and written in a second when a large array is copied.
double copy_speed() {
  std::vector<char> from(64 << 20, 1);
  std::vector<char> to(from.size(), 2);
  Case copy{"", [&](bool on_device) {
              return on_device ? std::function<void()>() : [&] { std::memcpy(to.data(), from.data(), from.size()); };
            }};
  const auto time = measure(copy, {9, 0}).microseconds[0]->median;
  return 2 * static_cast<double>(from.size()) / time / 1e3;
}

bool holds(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

Results measure_all(const CommandLine& line, const std::string& folder) {
  add_operator_cases();
  add_dispatch_cases();
  add_memory_cases();
  add_copy_cases();
  add_stream_cases();
  add_model_cases();
  add_growth_cases();
  Results results{TORCH_VERSION, copy_speed(), {}, {}};
  print_head();
  for (const auto& one : cases()) {
    if (holds(one.name, line.word) || holds(one.group, line.word)) {
      results.rows.push_back(measure(one, line.effort));
      print(results.rows.back());
    }
  }
  if (holds("A program's start", line.word)) {
    results.startup = measure_startup(folder, line.effort.repetitions);
  }
  for (const auto& one : results.startup) {
    std::printf("%-36s  %10.0f ms  %8.1f MB\n", one.program.c_str(), one.milliseconds, one.megabytes);
  }
  return results;
}

void write(const std::string& file, const std::string& text) {
  std::ofstream out(file);
  if (!(out << text).flush()) {
    throw std::runtime_error(file + " cannot be written");
  }
}

int run(int argc, char** argv) {
  const auto line = parse(argc, argv);
  if (!line.compare.empty()) {
    return compare_json(line.compare[0], line.compare[1]) == 0 ? 0 : 1;
  }
  setenv("OPENREG_FALLBACK_WARN", "off", /*overwrite=*/0);  // nobody looks for fallbacks here
  use_one_thread();
  const c10::AutoGradMode no_grad(false);
  const auto results = measure_all(line, std::filesystem::path(argv[0]).parent_path().string());
  if (!line.json.empty()) {
    write_json(results, line.json);
  }
  if (!line.page.empty()) {
    write(line.page + "/performance.md", page_of(results));
    write(line.page + "/performance.svg", plot_of(results));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "openreg_bench: %s\n", error.what());
    return 2;
  }
}
