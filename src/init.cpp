#include <c10/util/Exception.h>
#include <torch/version.h>

#include <charconv>
#include <string_view>

#include "device/runtime.h"
#include "openreg/openreg.h"
#include "registration.h"

namespace openreg {

void init() {
  switch (registration_state()) {
    case RegistrationState::done:
      break;
    case RegistrationState::disabled:
      TORCH_CHECK(false, "openreg is switched off by OPENREG_DISABLE: unset it to use the device.");
    case RegistrationState::refused:
      TORCH_CHECK(false, registration_problem());
  }
  device::ensure_initialized();
}

c10::DeviceIndex device_count() {
  init();
  return device::device_count();
}

c10::DeviceIndex current_device() {
  init();
  return device::current_device();
}

void set_current_device(c10::DeviceIndex device) {
  init();
  device::set_current_device(device);
}

void synchronize(c10::DeviceIndex device) {
  init();
  device::synchronize(device);
}

c10::Device parse_device(const std::string& name) {
  init();
  const std::string_view prefix = device::kBackendName;
  std::string_view rest = name;
  if (rest == prefix) {
    return {device::kDeviceType, device::current_device()};
  }
  int index = -1;
  const bool named =
      rest.substr(0, prefix.size()) == prefix && rest.size() > prefix.size() + 1 && rest[prefix.size()] == ':';
  if (named) {
    rest.remove_prefix(prefix.size() + 1);
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
    index = error == std::errc{} && end == rest.data() + rest.size() ? index : -1;
  }
  TORCH_CHECK(index >= 0 && index < device::device_count(), "'", name, "' is no device: use '", prefix, "' or '",
              prefix, ":0' to '", prefix, ":", device::device_count() - 1, "'.");
  return {device::kDeviceType, static_cast<c10::DeviceIndex>(index)};
}

const char* version() noexcept { return OPENREG_VERSION; }

const char* libtorch_version() noexcept { return TORCH_VERSION; }

}  // namespace openreg
