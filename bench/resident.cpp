#include "resident.h"

#include <ATen/ops/add.h>
#include <ATen/ops/ones.h>
#include <c10/util/Exception.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>

#include "openreg/openreg.h"

namespace openreg::bench {
namespace {

constexpr const char* kPrefix = "resident:";

double peak_in_mib(const std::string& where) {
  const auto command = "exec /proc/" + std::to_string(getpid()) + "/exe " + kPrefix + where;
  std::FILE* child = popen(command.c_str(), "r");
  TORCH_CHECK(child != nullptr, "cannot start ", command);
  long kib = 0;
  const bool read = std::fscanf(child, "%ld", &kib) == 1;
  TORCH_CHECK(pclose(child) == 0 && read, command, " failed");
  return static_cast<double>(kib) / 1024;
}

}  // namespace

bool is_resident_child(const std::string& word) { return word.rfind(kPrefix, 0) == 0; }

int resident_child(const std::string& word) {
  const auto where = word.substr(std::string(kPrefix).size());
  if (where != "cpu") init();
  const auto device = where == "openreg" ? parse_device("openreg") : c10::Device(c10::kCPU);
  const auto a = at::ones({16 << 20}, at::device(device));
  const auto b = at::ones({16 << 20}, at::device(device));
  const auto sum = at::add(a, b);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%ld\n", usage.ru_maxrss);
  return 0;
}

void print_resident_memory() {
  const auto cpu = peak_in_mib("cpu");
  const auto started = peak_in_mib("started");  // on the CPU, with the device there
  const auto ours = peak_in_mib("openreg");
  std::printf("\n%-24s  %12s  %12s  %12s  %12s\n%-24s  %12.1f  %12.1f  %12.1f  %12.1f\n", "resident memory, peak",
              "CPU MiB", "device start", "openreg MiB", "the add", "add of two 64 MiB", cpu, started - cpu, ours,
              ours - started);
}

}  // namespace openreg::bench
