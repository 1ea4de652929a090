#include <c10/util/Exception.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "device/block_cache.h"
#include "device/driver/driver.h"
#include "device/runtime.h"
#include "openreg/memory.h"

// Everything that the handler runs is async-signal-safe: no lock, no allocation, no stdio.
namespace openreg {
namespace {

// Filled before the handler is installed.
struct Known {
  std::array<const device::BlockCache*, driver::max_device_count> caches{};
  std::uintptr_t base = 0;
  std::size_t bytes = 0;
  std::size_t bytes_a_device = 0;
  std::uintptr_t distance = 0;
  struct sigaction previous_segv {};
  struct sigaction previous_bus {};
};

constinit Known known;

class Text {
 public:
  Text& operator<<(const char* text) {
    while (*text != '\0' && size_ < sizeof(bytes_)) bytes_[size_++] = *text++;
    return *this;
  }
  Text& number(std::uintptr_t value, unsigned base = 10) {
    char digits[24];
    std::size_t count = 0;
    do {
      digits[count++] = "0123456789abcdef"[value % base];
      value /= base;
    } while (value != 0);
    while (count > 0 && size_ < sizeof(bytes_)) bytes_[size_++] = digits[--count];
    return *this;
  }
  Text& address(std::uintptr_t value) { return (*this << "0x").number(value, 16); }
  void print() const {
    const auto ignored = write(STDERR_FILENO, bytes_, size_);
    static_cast<void>(ignored);
  }

 private:
  char bytes_[512];
  std::size_t size_ = 0;
};

// `address` is in the device range; `touched` is where the fault was.
void describe(std::uintptr_t address, std::uintptr_t touched, const char* what, const char* advice) {
  const auto index = (address - known.base) / known.bytes_a_device;
  Text text;
  text << "openreg: " << what << " at ";
  text.address(touched) << ": " << device::kBackendName << ":";
  text.number(index) << ", ";
  const auto found = known.caches[index]->locate(address);
  if (found.bytes == 0) {
    text << "in no block";
  } else {
    text << "block of ";
    text.number(found.bytes) << " bytes at ";
    text.address(found.block) << ", offset ";
    text.number(address - found.block);
  }
  text << ". " << advice << "\n";
  text.print();
}

void chain(const struct sigaction& previous, int signal_number, siginfo_t* info, void* context) {
  if ((previous.sa_flags & SA_SIGINFO) != 0) {
    previous.sa_sigaction(signal_number, info, context);
    return;
  }
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal_number);
    return;
  }
  // Back to the default: the instruction faults again, and the process dies as it would have.
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(signal_number, &standard, nullptr);
  if (info->si_code <= 0) {  // sent by kill(): no instruction will fault again
    raise(signal_number);
  }
}

void handle(int signal_number, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (info->si_code > 0 && address - known.base < known.bytes) {
    describe(address, address, "host code touched device memory",
             "Move the tensor with Tensor::cpu(), or reach it through openreg::HostView in a kernel.");
  } else if (info->si_code > 0 && known.distance != 0 && address - known.distance - known.base < known.bytes) {
    describe(address - known.distance, address, "a stray access of device code, outside of every block",
             "A view outlived its tensor, or a kernel left its tensor.");
  }
  chain(signal_number == SIGSEGV ? known.previous_segv : known.previous_bus, signal_number, info, context);
  errno = saved_errno;
}

// The handler runs on a stack of its own, where the thread has none already.
void give_thread_a_signal_stack() {
  stack_t present{};
  if (sigaltstack(nullptr, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0) {
    return;
  }
  constexpr std::size_t bytes = 64u << 10;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory != MAP_FAILED) {
    stack_t stack{};
    stack.ss_sp = memory;
    stack.ss_size = bytes;
    sigaltstack(&stack, nullptr);
  }
}

void install_once() {
  for (c10::DeviceIndex i = 0; i < device::device_count(); ++i) {
    known.caches[static_cast<std::size_t>(i)] = &device::block_cache(i);
  }
  known.base = device::detail::device_range_base;
  known.bytes = device::detail::device_range_bytes;
  known.bytes_a_device = known.bytes / static_cast<std::size_t>(device::device_count());
  known.distance = static_cast<std::uintptr_t>(device::host_distance());
  struct sigaction ours {};
  ours.sa_sigaction = &handle;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  TORCH_CHECK(
      sigaction(SIGSEGV, &ours, &known.previous_segv) == 0 && sigaction(SIGBUS, &ours, &known.previous_bus) == 0,
      "openreg: cannot install the fault handler: ", std::strerror(errno), ".");
}

}  // namespace

void install_fault_handler() {
  static std::once_flag once;
  std::call_once(once, &install_once);
  give_thread_a_signal_stack();
}

}  // namespace openreg
