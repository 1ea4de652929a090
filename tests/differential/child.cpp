#include "differential/child.h"

#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstring>
#include <map>

#include "differential/argument_maker.h"
#include "differential/cpp_text.h"
#include "differential/wire.h"
#include "support/dispatcher.h"

namespace openreg::differential {
namespace {

constexpr int kCrashesAllowed = 12;       // of the CPU, on one operator
constexpr unsigned kSecondsAllowed = 60;  // for one operator

// What the child does now, in memory that outlives it.
struct Progress {
  int sample = 0;
  Phase phase = Phase::idle;
};

using Skips = std::map<std::string, std::set<int>>;

Plan plan_for(const std::string& name, const RunOptions& options, const Skips& skips, Progress* progress) {
  Plan plan;
  plan.seed = options.seed;
  plan.samples = options.samples;
  if (const auto found = skips.find(name); found != skips.end()) plan.skip = found->second;
  if (options.only_sample >= 0) {
    for (int i = 0; i < plan.samples; ++i) {
      if (i != options.only_sample) plan.skip.insert(i);
    }
  }
  plan.note = [progress](int sample, Phase phase) { *progress = {sample, phase}; };
  return plan;
}

[[noreturn]] void child(const std::vector<std::string>& operators, std::size_t first, const RunOptions& options,
                        const Skips& skips, Progress* progress, int file) {
  std::signal(SIGSEGV, SIG_DFL);
  std::signal(SIGABRT, SIG_DFL);
  at::set_num_threads(1);
  if (options.prepare) options.prepare();
  for (auto i = first; i < operators.size(); ++i) {
    alarm(kSecondsAllowed);
    OperatorReport report;
    report.op = operators[i];
    auto verdict =
        examine(openreg::test::find_operator(operators[i]), plan_for(operators[i], options, skips, progress));
    report.missing = verdict.missing;
    report.differences = std::move(verdict.differences);
    report.refused = std::move(verdict.refused);
    write_report(file, report);
  }
  _exit(0);
}

// The C++ of a sample whose call ended a process: made by another child, which does not call.
std::string text_of_sample(const std::string& name, const RunOptions& options, int number) {
  int ends[2];
  if (pipe(ends) != 0) return "";
  const auto pid = fork();
  if (pid == 0) {
    const auto op = openreg::test::find_operator(name);
    const auto text = call_text(op, make_sample(op, options.seed, number).arguments);
    [[maybe_unused]] const auto count = ::write(ends[1], text.data(), text.size());
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  close(ends[0]);
  waitpid(pid, nullptr, 0);
  return text;
}

// Runs operators from `first` on until the child ends. Returns how it ended.
int run_child(const std::vector<std::string>& operators, std::size_t first, const RunOptions& options,
              const Skips& skips, Progress* progress, std::vector<OperatorReport>& reports) {
  int ends[2];
  TORCH_CHECK(pipe(ends) == 0, "No pipe: ", std::strerror(errno));
  *progress = {};
  const auto pid = fork();
  TORCH_CHECK(pid >= 0, "No child process: ", std::strerror(errno));
  if (pid == 0) {
    close(ends[0]);
    child(operators, first, options, skips, progress, ends[1]);
  }
  close(ends[1]);
  std::string text;
  char buffer[65536];
  for (ssize_t count = 0; (count = read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(count));
    read_reports(text, reports);
  }
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  return status;
}

}  // namespace

std::vector<OperatorReport> examine_in_children(const std::vector<std::string>& operators, const RunOptions& options) {
  auto* shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  TORCH_CHECK(shared != MAP_FAILED, "No shared memory: ", std::strerror(errno));
  auto* progress = new (shared) Progress;
  std::vector<OperatorReport> reports;
  Skips skips;
  while (reports.size() < operators.size()) {
    const auto status = run_child(operators, reports.size(), options, skips, progress, reports);
    if (reports.size() >= operators.size()) break;
    const auto& name = operators[reports.size()];
    auto& skipped = skips[name];
    const auto how = WIFSIGNALED(status) ? std::string(strsignal(WTERMSIG(status)))
                                         : "exit code " + std::to_string(WEXITSTATUS(status));
    if (progress->phase == Phase::cpu && static_cast<int>(skipped.size()) < kCrashesAllowed) {
      skipped.insert(progress->sample);
      continue;
    }
    OperatorReport report;
    report.op = name;
    report.cpu_crashes = static_cast<int>(skipped.size());
    report.missing = "a call ended the process: " + how;
    if (progress->phase != Phase::cpu) {
      report.differences.push_back(
          {progress->sample, {"CRASH: " + how}, text_of_sample(name, options, progress->sample)});
    }
    reports.push_back(report);
  }
  munmap(shared, sizeof(Progress));
  return reports;
}

}  // namespace openreg::differential
