#pragma once

#include <ATen/core/CachingHostAllocator.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#if __has_include(<c10/core/DeviceCapability.h>)
#include <c10/core/DeviceCapability.h>
#endif

// Declared again, so that they can be asked for where libtorch does not have them.
namespace at {
struct HostAllocator;
struct HostStats;
}  // namespace at
namespace c10 {
struct DeviceAllocator;
struct DeviceCapability;
}  // namespace c10

// The differences between libtorch versions, found by what compiles and never by a version number. What came to an
// interface after 2.6 is declared here where it is missing, so that openreg's class overrides it on every version.
namespace openreg::compat {

template <typename T>
concept Defined = requires {
  sizeof(T);
};

// ---- hooks ---------------------------------------------------------------------------------------------------

struct HooksWithAvailability : at::PrivateUse1HooksInterface {
  virtual bool isBuilt() const = 0;
  virtual bool isAvailable() const = 0;
};

template <typename Hooks>
concept KnowsAvailability = requires(const Hooks& hooks) {
  hooks.isBuilt();
  hooks.isAvailable();
};

using HooksBase = std::conditional_t<KnowsAvailability<at::PrivateUse1HooksInterface>, at::PrivateUse1HooksInterface,
                                     HooksWithAvailability>;

// ---- guard ---------------------------------------------------------------------------------------------------

struct NoCapability {};

using DeviceCapability = std::conditional_t<Defined<c10::DeviceCapability>, c10::DeviceCapability, NoCapability>;

struct GuardWithStreamDetails : c10::impl::DeviceGuardImplInterface {
  virtual void* getStreamNativeHandle(const c10::Stream stream) const = 0;
  virtual DeviceCapability getDeviceCapability(c10::Device device) const = 0;
  virtual bool isStreamCapturing(const c10::Stream& stream) const = 0;
};

template <typename Guard>
concept KnowsStreamDetails = requires(const Guard& guard, c10::Device device, c10::Stream stream) {
  guard.getStreamNativeHandle(stream);
  guard.getDeviceCapability(device);
  guard.isStreamCapturing(stream);
};

using GuardBase = std::conditional_t<KnowsStreamDetails<c10::impl::DeviceGuardImplInterface>,
                                     c10::impl::DeviceGuardImplInterface, GuardWithStreamDetails>;

// ---- device allocator ----------------------------------------------------------------------------------------

// c10::MempoolId_t, which 2.6 declares for CUDA only.
using PoolId = std::pair<unsigned long long, unsigned long long>;

struct AllocatorWithStatistics : c10::Allocator {
  virtual bool initialized() = 0;
  virtual void emptyCache(PoolId pool = {0, 0}) = 0;
  virtual void recordStream(const c10::DataPtr& data, c10::Stream stream) = 0;
  virtual c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex device) = 0;
  virtual void resetAccumulatedStats(c10::DeviceIndex device) = 0;
  virtual void resetPeakStats(c10::DeviceIndex device) = 0;
  virtual std::pair<std::size_t, std::size_t> getMemoryInfo(c10::DeviceIndex device) = 0;
};

using DeviceAllocatorBase =
    std::conditional_t<Defined<c10::DeviceAllocator>, c10::DeviceAllocator, AllocatorWithStatistics>;

// ---- pinned host memory --------------------------------------------------------------------------------------

struct NoHostStats {};

using HostStats = std::conditional_t<Defined<at::HostStats>, at::HostStats, NoHostStats>;

struct HostAllocatorWithStatistics : c10::Allocator {
  virtual bool record_event(void* address, void* context, c10::Stream stream) = 0;
  virtual void empty_cache() = 0;
  virtual HostStats get_stats() = 0;
  virtual void reset_accumulated_stats() = 0;
  virtual void reset_peak_stats() = 0;
};

using HostAllocatorBase =
    std::conditional_t<Defined<at::HostAllocator>, at::HostAllocator, HostAllocatorWithStatistics>;

// Tells libtorch of the pinned allocator, where it wants to know.
template <typename HostAllocator>
void register_host_allocator(c10::DeviceType type, HostAllocator* allocator) {
  if constexpr (requires { setHostAllocator(type, allocator, std::uint8_t{0}); }) {
    setHostAllocator(type, allocator, std::uint8_t{0});
  }
}

}  // namespace openreg::compat
