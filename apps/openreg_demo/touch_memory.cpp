#include "touch_memory.h"

#include <c10/util/Exception.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace openreg::demo {
namespace {

// In the child: only calls that are safe after fork. Libraries may have put a handler on SIGSEGV, which would print;
// the default action ends the child quietly, without a core file.
[[noreturn]] void touch(void* address, Access access) {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::signal(SIGSEGV, SIG_DFL);
  volatile char* const byte = static_cast<char*>(address);
  if (access == Access::read) {
    static_cast<void>(*byte);
  } else {
    *byte = 0;
  }
  _exit(0);
}

std::string signal_text(int number) {
  const char* const name = sigabbrev_np(number);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(number);
}

}  // namespace

std::string fate_of_access(void* address, Access access) {
  const pid_t child = fork();
  if (child == 0) {
    touch(address, access);
  }
  TORCH_CHECK(child > 0, "no child process can be made: ", std::strerror(errno), ".");
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    TORCH_CHECK(errno == EINTR, "the child process cannot be waited for: ", std::strerror(errno), ".");
  }
  return WIFSIGNALED(status) ? "killed by " + signal_text(WTERMSIG(status)) : "lived on";
}

}  // namespace openreg::demo
