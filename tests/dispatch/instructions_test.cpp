// What the trace costs when it is linked and off, counted in instructions of one addition.
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <iostream>

#include <gtest/gtest.h>

namespace {

// Runs the program up to the first SIGUSR1 and steps through it, instruction by instruction, up to the second.
long instructions_of(const char* program) {
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    unsetenv("TORCH_SHOW_DISPATCH_TRACE");
    execl(program, program, nullptr);
    _exit(127);
  }
  int status = 0;
  long count = 0;
  for (int marks = 0; waitpid(child, &status, 0) == child && !WIFEXITED(status) && !WIFSIGNALED(status);) {
    const int signal = WSTOPSIG(status);
    marks += signal == SIGUSR1 ? 1 : 0;
    count += marks == 1 ? 1 : 0;
    ptrace(marks == 1 ? PTRACE_SINGLESTEP : PTRACE_CONT, child, nullptr,
           signal == SIGTRAP || signal == SIGUSR1 ? 0 : signal);
  }
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return count;
}

}  // namespace

TEST(LinkedAndOff, AddsAtMostTwoPercentOfInstructionsToAnAddition) {
  const long without = instructions_of(OPENREG_MARKED_ADD_PLAIN);
  const long with = instructions_of(OPENREG_MARKED_ADD_TRACED);
  std::cout << "one addition: " << without << " instructions, " << with << " with the trace linked\n";
  ASSERT_GT(without, 500);
  EXPECT_LE(static_cast<double>(with), 1.02 * static_cast<double>(without));
}
