#include "device/streams.h"

#include <ATen/core/grad_mode.h>
#include <c10/util/Exception.h>

#include <array>
#include <atomic>
#include <mutex>
#include <unordered_map>

#include "device/driver_check.h"
#include "device/environment.h"
#include "device/runtime.h"
#include "openreg/stream.h"

namespace openreg::device {
namespace {

constexpr unsigned kPoolSize = 32;
constexpr unsigned kOwnLimit = 1024;

enum class Kind : unsigned { pool = 0, high_pool = 1, own = 2 };

using Slot = std::atomic<driver::Stream>;

struct DeviceStreams {
  Slot main{nullptr};
  std::array<std::array<Slot, kPoolSize>, 2> pools{};
  std::array<std::atomic<unsigned>, 2> next_in_pool{};
  std::array<Slot, kOwnLimit> own{};
  std::atomic<unsigned> own_made{0};
  std::atomic<unsigned> next_again{0};
};

struct ExternalStreams {
  std::mutex mutex;
  std::unordered_map<c10::StreamId, c10::DeviceIndex> devices;
};

// Leaked: static destructors may still use streams.
DeviceStreams& streams_of(c10::DeviceIndex device) {
  static auto* const all = new std::array<DeviceStreams, driver::max_device_count>;
  return (*all)[static_cast<std::size_t>(device)];
}

ExternalStreams& external_streams() {
  static auto* const instance = new ExternalStreams;
  return *instance;
}

constinit thread_local std::array<c10::StreamId, driver::max_device_count> current_ids{};

bool is_index(c10::DeviceIndex device) noexcept { return device >= 0 && device < driver::max_device_count; }

c10::Stream stream_of(c10::DeviceIndex device, c10::StreamId id) noexcept {
  return c10::Stream(c10::Stream::UNSAFE, c10::Device(kDeviceType, device), id);
}

c10::StreamId id_of(Kind kind, unsigned index) noexcept {
  return static_cast<c10::StreamId>((index << 3) | (static_cast<unsigned>(kind) << 1) | 1u);
}

driver::Stream made(Slot& slot, c10::DeviceIndex device, int priority) {
  if (auto* handle = slot.load(std::memory_order_acquire)) {
    return handle;
  }
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  auto* handle = slot.load(std::memory_order_acquire);
  if (handle == nullptr) {
    check(driver::stream_create(device, priority, &handle));
    slot.store(handle, std::memory_order_release);
  }
  return handle;
}

[[noreturn]] void refuse(const c10::Stream& stream) {
  TORCH_CHECK(false, "Stream ", stream.id(), " on ", stream.device(), " is not one of ", kBackendName,
              "'s: make streams with c10's guard, openreg::new_stream or openreg::external_stream.");
}

driver::Stream external_handle(const c10::Stream& stream) {
  const std::lock_guard lock(external_streams().mutex);
  const auto found = external_streams().devices.find(stream.id());
  if (found == external_streams().devices.end() || found->second != stream.device_index()) {
    refuse(stream);
  }
  return reinterpret_cast<driver::Stream>(stream.id());
}

struct Place {
  Slot* slot;  // where the handle is kept; null for external streams
  int priority;
};

Place place_of(const c10::Stream& stream) {
  if (stream.device_type() != kDeviceType) {
    refuse(stream);
  }
  check_device_index(stream.device_index());
  auto& streams = streams_of(stream.device_index());
  if (stream.id() == 0) {
    return {&streams.main, normal_priority};
  }
  if ((stream.id() & 1) == 0) {
    return {nullptr, 0};
  }
  const auto kind = static_cast<unsigned>(stream.id() >> 1) & 3u;
  const auto index = static_cast<std::uint64_t>(stream.id()) >> 3;
  if (kind <= static_cast<unsigned>(Kind::high_pool) && index < kPoolSize) {
    return {&streams.pools[kind][index], kind == static_cast<unsigned>(Kind::pool) ? normal_priority : high_priority};
  }
  if (kind == static_cast<unsigned>(Kind::own) && index < streams.own_made.load()) {
    return {&streams.own[index], normal_priority};
  }
  refuse(stream);
}

class CurrentStreamScope {
 public:
  explicit CurrentStreamScope(const c10::Stream& stream) noexcept : previous_(exchange_current_stream(stream)) {}
  ~CurrentStreamScope() { exchange_current_stream(previous_); }
  CurrentStreamScope(const CurrentStreamScope&) = delete;
  CurrentStreamScope& operator=(const CurrentStreamScope&) = delete;

 private:
  c10::Stream previous_;
};

void launch_on(driver::Stream handle, const c10::Stream& stream, std::function<void()> task) {
  TORCH_CHECK(task != nullptr, "openreg: the task to launch on ", stream, " is empty.");
  check(driver::launch(handle, [stream, work = std::move(task)] {
    const CurrentStreamScope scope(stream);
    const at::NoGradGuard no_grad;
    work();
  }));
}

}  // namespace

driver::Stream stream_handle(const c10::Stream& stream) {
  const auto place = place_of(stream);
  return place.slot == nullptr ? external_handle(stream) : made(*place.slot, stream.device_index(), place.priority);
}

driver::Stream existing_stream_handle(const c10::Stream& stream) {
  const auto place = place_of(stream);
  return place.slot == nullptr ? external_handle(stream) : place.slot->load(std::memory_order_acquire);
}

c10::Stream current_stream(c10::DeviceIndex device) noexcept {
  return stream_of(device, is_index(device) ? current_ids[static_cast<std::size_t>(device)] : 0);
}

c10::Stream exchange_current_stream(const c10::Stream& stream) noexcept {
  const auto previous = current_stream(stream.device_index());
  if (is_index(stream.device_index())) {
    current_ids[static_cast<std::size_t>(stream.device_index())] = stream.id();
  }
  return previous;
}

c10::Stream make_stream(c10::DeviceIndex device, int priority) {
  check_device_index(device);
  driver::DeviceProperties properties{};
  check(driver::device_properties(device, &properties));
  TORCH_CHECK(priority >= properties.greatest_priority && priority <= properties.least_priority, "Stream priority ",
              priority, " is out of range: use ", properties.greatest_priority, " (runs first) to ",
              properties.least_priority, ".");
  auto& streams = streams_of(device);
  {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    const auto index = streams.own_made.load();
    if (index < kOwnLimit) {
      driver::Stream handle = nullptr;
      check(driver::stream_create(device, priority, &handle));
      streams.own[index].store(handle, std::memory_order_release);
      streams.own_made.store(index + 1);
      return stream_of(device, id_of(Kind::own, index));
    }
  }
  // From now on they come again, those of the wanted priority if there are any.
  unsigned index = 0;
  for (unsigned tried = 0; tried < kOwnLimit; ++tried) {
    index = streams.next_again.fetch_add(1) % kOwnLimit;
    int its_priority = 0;
    check(driver::stream_priority(streams.own[index].load(), &its_priority));
    if (its_priority == priority) {
      break;
    }
  }
  return stream_of(device, id_of(Kind::own, index));
}

c10::Stream pool_stream(c10::DeviceIndex device, bool high) {
  check_device_index(device);
  auto& next = streams_of(device).next_in_pool[high ? 1 : 0];
  return stream_of(device, id_of(high ? Kind::high_pool : Kind::pool, next.fetch_add(1) % kPoolSize));
}

c10::Stream external_stream(void* handle, c10::DeviceIndex device) {
  check_device_index(device);
  int its_device = -1;
  check(driver::stream_device(static_cast<driver::Stream>(handle), &its_device));
  TORCH_CHECK(its_device == device, "The stream at ", handle, " is of ", kBackendName, ":", its_device, ", not of ",
              kBackendName, ":", static_cast<int>(device), ".");
  const auto id = reinterpret_cast<c10::StreamId>(handle);
  const std::lock_guard lock(external_streams().mutex);
  external_streams().devices[id] = device;
  return stream_of(device, id);
}

bool query_stream(const c10::Stream& stream) {
  auto* handle = existing_stream_handle(stream);
  if (handle == nullptr) {
    return true;
  }
  const auto status = driver::stream_query(handle);
  if (status != driver::Status::not_ready) {
    check(status);
  }
  return status == driver::Status::success;
}

void synchronize_stream(const c10::Stream& stream) {
  if (auto* handle = existing_stream_handle(stream)) {
    check(driver::stream_synchronize(handle));
  }
}

void wait_for_current_stream(c10::DeviceIndex device) { synchronize_stream(current_stream(device)); }

bool runs_asynchronously() {
  static const bool on = environment().async;
  return on;
}

void launch_in_order(const c10::Stream& stream, std::function<void()> task) {
  auto* handle = stream_handle(stream);
  if (driver::on_stream(handle)) {
    task();
  } else {
    launch_on(handle, stream, std::move(task));
  }
}

}  // namespace openreg::device

namespace openreg {
namespace {

c10::DeviceIndex resolved(c10::DeviceIndex device) {
  return device::resolve_device({device::kDeviceType, device}).index();
}

}  // namespace

c10::Stream default_stream(c10::DeviceIndex device) { return device::stream_of(resolved(device), 0); }

c10::Stream current_stream(c10::DeviceIndex device) { return device::current_stream(resolved(device)); }

c10::Stream set_current_stream(const c10::Stream& stream) {
  static_cast<void>(device::existing_stream_handle(stream));  // refuses what is not ours
  return device::exchange_current_stream(stream);
}

c10::Stream new_stream(c10::DeviceIndex device, int priority) {
  return device::make_stream(resolved(device), priority);
}

c10::Stream pool_stream(c10::DeviceIndex device, bool high) { return device::pool_stream(resolved(device), high); }

void* native_handle(const c10::Stream& stream) { return device::stream_handle(stream); }

c10::Stream external_stream(void* handle, c10::DeviceIndex device) {
  return device::external_stream(handle, resolved(device));
}

void launch(const c10::Stream& stream, std::function<void()> task) {
  device::launch_on(device::stream_handle(stream), stream, std::move(task));
}

}  // namespace openreg
