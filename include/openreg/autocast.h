#pragma once

#include <c10/core/ScalarType.h>

#include <optional>

// Mixed precision. Inside a region some operators run in half precision and others in float, whatever their arguments
// are; which ones is what CUDA's autocast does (docs/autocast.md has the lists).
//
//   const openreg::AutocastRegion region(at::kBFloat16);
//   const auto y = model.forward(x);             // matrix products in BFloat16, losses and norms in float
//
// The same state as at::autocast::set_autocast_enabled(at::kPrivateUse1, ...) of <ATen/autocast_mode.h>; it belongs to
// the calling thread, and backward() takes it along.
namespace openreg {

// Autocast on (or off) for openreg until the end of the scope, when the state before comes back; regions nest. Only
// floating tensors on openreg are cast, double never.
class AutocastRegion {
 public:
  // `dtype` is Half or BFloat16; without it the current one is kept (Half at first). Another dtype gives one warning,
  // and the region is off. `cache` keeps the low-precision copy of each parameter until the outermost region ends.
  explicit AutocastRegion(std::optional<at::ScalarType> dtype = std::nullopt, bool enabled = true, bool cache = true);
  ~AutocastRegion();
  AutocastRegion(const AutocastRegion&) = delete;
  AutocastRegion& operator=(const AutocastRegion&) = delete;

 private:
  at::ScalarType dtype_before_;
  bool enabled_before_;
  bool cache_before_;
};

}  // namespace openreg
