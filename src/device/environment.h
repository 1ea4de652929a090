#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace openreg::device {

// What the OPENREG_ variables say. Each is read once, at first use of the device, and checked.
struct Environment {
  int device_count = 2;
  std::size_t memory_limit = 0;  // bytes a device; 0: no limit
  std::string log_level = "off";
  std::string host_access = "mapped";
  bool async = false;         // abs and copies within a device are put on the stream
  bool memory_debug = false;  // blocks are poisoned and have guard gaps
  std::string fallback = "global";
  std::vector<std::string> fallback_forbid;
  bool fallback_forbid_set = false;
  std::vector<std::string> fallback_allow;
  std::vector<std::string> fallback_force;
  std::string fallback_warn = "once";
  bool fallback_summary = false;
  bool forwarded = true;
};

// Throws c10::Error that names the variable, its value and the allowed ones; each call tries again, so that the
// error is not lost when its first reader swallows it.
const Environment& environment();

// True when OPENREG_DISABLE is set to anything but "" and "0": the linked program stays without the device.
// Never throws: it is asked before main.
bool disabled_by_environment() noexcept;

}  // namespace openreg::device
