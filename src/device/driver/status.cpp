#include "device/driver/driver.h"

namespace openreg::driver {
namespace {

struct Entry {
  Status status;
  const char* name;
  const char* text;
};

constexpr Entry entries[] = {
    {Status::success, "success", "The call succeeded."},
    {Status::not_ready, "not_ready", "The work that was asked about is still running."},
    {Status::not_initialized, "not_initialized", "The driver has not been initialized."},
    {Status::invalid_argument, "invalid_argument", "An argument is not valid."},
    {Status::invalid_device, "invalid_device", "The device index is out of range."},
    {Status::out_of_memory, "out_of_memory", "The device has not enough free memory."},
    {Status::reservation_failed, "reservation_failed", "The operating system refused a resource."},
    {Status::task_failed, "task_failed", "A task that was launched earlier threw an exception."},
    {Status::wrong_device, "wrong_device", "The handles belong to different devices."},
    {Status::timing_disabled, "timing_disabled", "An event does not record time."},
    {Status::unsupported, "unsupported", "The device cannot do this."},
};

const Entry* find(Status status) {
  for (const Entry& entry : entries) {
    if (entry.status == status) return &entry;
  }
  return nullptr;
}

}  // namespace

const char* status_name(Status status) noexcept {
  const Entry* entry = find(status);
  return entry != nullptr ? entry->name : "unknown";
}

const char* status_text(Status status) noexcept {
  const Entry* entry = find(status);
  return entry != nullptr ? entry->text : "This is not a status of the driver.";
}

}  // namespace openreg::driver
