#include "device/driver/address_space.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>

#include "device/driver/error.h"

namespace openreg::driver {
namespace {

// What may have made the system refuse, in words. The buffer is the caller's.
const char* describe_limits(char* buffer, std::size_t bytes) {
  char address_limit[32] = "unlimited";
  rlimit limit = {};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    std::snprintf(address_limit, sizeof(address_limit), "%llu bytes", static_cast<unsigned long long>(limit.rlim_cur));
  }
  char overcommit[8] = "?";
  if (std::FILE* file = std::fopen("/proc/sys/vm/overcommit_memory", "re"); file != nullptr) {
    if (std::fgets(overcommit, sizeof(overcommit), file) == nullptr) std::strcpy(overcommit, "?");
    std::fclose(file);
    overcommit[std::strcspn(overcommit, "\n")] = '\0';
  }
  std::snprintf(buffer, bytes, "address space limit (RLIMIT_AS, ulimit -v): %s; vm.overcommit_memory: %s",
                address_limit, overcommit);
  return buffer;
}

Status fail_reservation(std::size_t bytes, int device_count, const char* reason) {
  char limits[128];
  return fail(Status::reservation_failed,
              "initialize: cannot reserve %zu bytes of addresses for %d device(s): %s; %s. Raise the limit, or set "
              "OPENREG_MEMORY_LIMIT to a smaller memory per device: four times its size is reserved for each",
              bytes, device_count, reason, describe_limits(limits, sizeof(limits)));
}

void* to_pointer(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

}  // namespace

std::size_t page_size() noexcept {
  static const std::size_t size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

Status reserve(int device_count, std::size_t capacity, AddressSpace* space) noexcept {
  // Twice the capacity leaves room for holes between blocks; no capacity may be larger than what can be counted.
  constexpr std::size_t largest = std::numeric_limits<std::size_t>::max() / 16 / max_device_count;
  if (capacity > largest) {
    return fail_reservation(capacity, device_count, "the memory per device is larger than any address space");
  }
  AddressSpace result;
  result.device_count = device_count;
  result.bytes_per_device = capacity == 0 ? default_bytes_per_device : round_up(2 * capacity, huge_page);
  const std::size_t half = result.total_bytes();
  const std::size_t bytes = 2 * half + huge_page;  // room to align the start for huge pages
  void* start = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) {
    return fail_reservation(bytes, device_count, std::strerror(errno));
  }
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(start);
  result.base = round_up(begin, huge_page);
  result.distance = static_cast<std::ptrdiff_t>(half);
  if (result.base > begin) munmap(start, result.base - begin);
  const std::uintptr_t end = result.base + 2 * half;
  if (begin + bytes > end) munmap(to_pointer(end), begin + bytes - end);
  madvise(to_pointer(result.base), 2 * half, MADV_DONTDUMP);
  *space = result;
  return Status::success;
}

Status commit(const AddressSpace& space, std::uintptr_t address, std::size_t bytes) noexcept {
  std::byte* host = space.host(address);
  if (mprotect(host, bytes, PROT_READ | PROT_WRITE) != 0) {
    const int error = errno;
    char limits[128];
    return fail(Status::reservation_failed,
                "memory_allocate: the operating system refused %zu bytes of memory: %s; %s; it may also be the number "
                "of mappings (vm.max_map_count) or the data limit (ulimit -d)",
                bytes, std::strerror(error), describe_limits(limits, sizeof(limits)));
  }
  madvise(host, bytes, MADV_DODUMP);
  // First touch of 64 MiB: 7 ms with huge pages, 35 ms without.
  if (bytes >= huge_page) madvise(host, bytes, MADV_HUGEPAGE);
  return Status::success;
}

void discard_pages(const AddressSpace& space, std::uintptr_t address, std::size_t bytes) noexcept {
  std::byte* host = space.host(address);
  // The system keeps pages that the process locked (mlockall); the next owner shall find zeros all the same.
  if (madvise(host, bytes, MADV_DONTNEED) != 0) std::memset(host, 0, bytes);
}

void close_pages(const AddressSpace& space, std::uintptr_t address, std::size_t bytes) noexcept {
  std::byte* host = space.host(address);
  mprotect(host, bytes, PROT_NONE);
  madvise(host, bytes, MADV_DONTDUMP);
}

}  // namespace openreg::driver
