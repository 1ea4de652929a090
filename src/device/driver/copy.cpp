#include "device/driver/copy.h"

#include <cstring>

#include "device/driver/error.h"
#include "device/driver/ranges.h"

namespace openreg::driver {
namespace {

Status resolve(Driver& driver, const char* function, const char* argument, const void* address, std::size_t bytes,
               bool on_device, std::byte** host) {
  if (!on_device) return resolve_host_range(driver, function, argument, address, bytes, host);
  DeviceRange range;
  const Status status = resolve_device_range(driver, function, argument, address, bytes, &range);
  if (status == Status::success) *host = range.host;
  return status;
}

}  // namespace

Status resolve_copy(const char* function, void* destination, const void* source, std::size_t bytes, CopyKind kind,
                    ResolvedCopy* copy) noexcept {
  Driver* driver = driver_or_null();
  if (driver == nullptr) return fail_not_ready(function);
  bool to_device = false;
  bool from_device = false;
  switch (kind) {
    case CopyKind::host_to_host:
      break;
    case CopyKind::host_to_device:
      to_device = true;
      break;
    case CopyKind::device_to_host:
      from_device = true;
      break;
    case CopyKind::device_to_device:
      to_device = from_device = true;
      break;
    default:
      return fail(Status::invalid_argument, "%s: %d is not a CopyKind", function, static_cast<int>(kind));
  }
  *copy = {};
  if (bytes == 0) return Status::success;
  std::byte* to = nullptr;
  std::byte* from = nullptr;
  Status status = resolve(*driver, function, "destination", destination, bytes, to_device, &to);
  if (status != Status::success) return status;
  status = resolve(*driver, function, "source", source, bytes, from_device, &from);
  if (status != Status::success) return status;
  const auto low = reinterpret_cast<std::uintptr_t>(to < from ? to : from);
  const auto high = reinterpret_cast<std::uintptr_t>(to < from ? from : to);
  if (high - low < bytes) {
    return fail(Status::invalid_argument, "%s: destination %p and source %p overlap in %zu of %zu bytes", function,
                destination, source, static_cast<std::size_t>(bytes - (high - low)), bytes);
  }
  *copy = {to, from, bytes};
  return Status::success;
}

void ResolvedCopy::run() const noexcept {
  if (bytes > 0) std::memcpy(destination, source, bytes);
}

Status copy(void* destination, const void* source, std::size_t bytes, CopyKind kind) noexcept {
  ResolvedCopy resolved;
  const Status status = resolve_copy("copy", destination, source, bytes, kind, &resolved);
  if (status == Status::success) resolved.run();
  return status;
}

Status fill(void* destination, int value, std::size_t bytes) noexcept {
  Driver* driver = driver_or_null();
  if (driver == nullptr) return fail_not_ready("fill");
  if (bytes == 0) return Status::success;
  DeviceRange range;
  const Status status = resolve_device_range(*driver, "fill", "destination", destination, bytes, &range);
  if (status == Status::success) std::memset(range.host, value, bytes);
  return status;
}

}  // namespace openreg::driver
