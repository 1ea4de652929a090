#include "ops/autocast_dtype.h"

#include <ATen/autocast_mode.h>
#include <c10/util/Exception.h>

#include <atomic>

#include "device/runtime.h"
#include "openreg/autocast.h"

namespace openreg {
namespace ops {

bool can_autocast_to(at::ScalarType dtype) { return dtype == at::kHalf || dtype == at::kBFloat16; }

void warn_about_autocast_dtype(at::ScalarType dtype) {
  static std::atomic<std::uint64_t> warned{0};
  const auto bit = std::uint64_t{1} << static_cast<unsigned>(dtype);
  if ((warned.fetch_or(bit, std::memory_order_relaxed) & bit) == 0) {
    TORCH_WARN("Autocast for ", device::kBackendName,
               " is off: it casts to Half or BFloat16, and the dtype asked for is ", dtype,
               ". Give one of these to openreg::AutocastRegion or at::autocast::set_autocast_dtype.");
  }
}

std::optional<at::ScalarType> autocast_dtype() {
  const auto dtype = at::autocast::get_autocast_dtype(device::kDeviceType);
  if (C10_LIKELY(can_autocast_to(dtype))) {
    return dtype;
  }
  warn_about_autocast_dtype(dtype);
  return std::nullopt;
}

}  // namespace ops

AutocastRegion::AutocastRegion(std::optional<at::ScalarType> dtype, bool enabled, bool cache)
    : dtype_before_(at::autocast::get_autocast_dtype(device::kDeviceType)),
      enabled_before_(at::autocast::is_autocast_enabled(device::kDeviceType)),
      cache_before_(at::autocast::is_autocast_cache_enabled()) {
  const auto wanted = dtype.value_or(dtype_before_);
  const bool possible = ops::can_autocast_to(wanted);
  if (enabled && !possible) {
    ops::warn_about_autocast_dtype(wanted);
  }
  if (possible) {
    at::autocast::set_autocast_dtype(device::kDeviceType, wanted);
  }
  at::autocast::set_autocast_enabled(device::kDeviceType, enabled && possible);
  at::autocast::set_autocast_cache_enabled(cache);
  at::autocast::increment_nesting();
}

AutocastRegion::~AutocastRegion() {
  if (at::autocast::decrement_nesting() == 0) {
    at::autocast::clear_cache();
  }
  at::autocast::set_autocast_cache_enabled(cache_before_);
  at::autocast::set_autocast_enabled(device::kDeviceType, enabled_before_);
  at::autocast::set_autocast_dtype(device::kDeviceType, dtype_before_);
}

}  // namespace openreg
