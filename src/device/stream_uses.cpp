#include "device/stream_uses.h"

#include <algorithm>

#include "device/driver_check.h"
#include "device/streams.h"

namespace openreg::device {
namespace {

bool is_busy(driver::Stream handle) noexcept {
  return handle != nullptr && !driver::on_stream(handle) && driver::stream_query(handle) == driver::Status::not_ready;
}

std::shared_ptr<Fence> fence_in(driver::Stream handle, c10::DeviceIndex device) {
  driver::Event event = nullptr;
  check(driver::event_create(device, false, &event));
  auto fence = std::make_shared<Fence>(event);
  check(driver::event_record(event, handle));
  return fence;
}

}  // namespace

Fences fences_in(const StreamUses& streams) noexcept {
  Fences fences;
  for (const auto& stream : streams) {
    driver::Stream handle = nullptr;
    try {
      handle = existing_stream_handle(stream);
      if (is_busy(handle)) {
        fences.push_back(fence_in(handle, stream.device_index()));
      }
    } catch (...) {
      if (handle != nullptr) {
        static_cast<void>(driver::stream_synchronize(handle));
      }
    }
  }
  return fences;
}

bool all_done(const Fences& fences) noexcept {
  return std::all_of(fences.begin(), fences.end(), [](const auto& fence) { return fence->done(); });
}

void add_use(StreamUses& uses, const c10::Stream& stream) {
  if (std::find(uses.begin(), uses.end(), stream) == uses.end()) {
    uses.push_back(stream);
  }
}

}  // namespace openreg::device
