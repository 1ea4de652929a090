#include <openreg/inspect.h>

#include <cstdlib>

#include <openreg/fallback.h>
#include <openreg/openreg.h>

#include "device/environment.h"
#include "fallback/host_session.h"
#include "fallback/policy_words.h"
#include "registration.h"

namespace openreg::inspect {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ",") + name;
  }
  return text.empty() ? "none" : text;
}

std::string flag(bool on) { return on ? "1" : "0"; }

std::string host_access_name() { return fallback::host_access() == fallback::HostAccess::staged ? "staged" : "mapped"; }

Setting setting(const char* name, std::string value, const char* meaning) {
  const char* const text = std::getenv(name);
  return {name, std::move(value), text != nullptr && *text != '\0', meaning};
}

}  // namespace

bool switched_off() noexcept { return registration_state() == RegistrationState::disabled; }

std::vector<Setting> settings() {
  if (switched_off()) {
    return {setting("OPENREG_DISABLE", std::getenv("OPENREG_DISABLE"), "the program has no device")};
  }
  init();
  const auto& read = device::environment();
  const FallbackPolicy policy = fallback_policy();
  return {
      setting("OPENREG_DEVICE_COUNT", std::to_string(device_count()), "devices"),
      setting("OPENREG_MEMORY_LIMIT", read.memory_limit == 0 ? "no limit" : std::to_string(read.memory_limit),
              "bytes that a device may hand out"),
      setting("OPENREG_HOST_ACCESS", host_access_name(), "how CPU kernels reach device memory: mapped, staged"),
      setting("OPENREG_ASYNC", flag(read.async), "1: abs and copies within a device return before they are done"),
      setting("OPENREG_MEMORY_DEBUG", flag(read.memory_debug), "1: poison memory, report writes past a block"),
      setting("OPENREG_FALLBACK", fallback::text_of(fallback::kModeWords, policy.mode),
              "who may fall back: global, selective, off, stock"),
      setting("OPENREG_FALLBACK_FORBID", joined(policy.forbid), "operators that never fall back"),
      setting("OPENREG_FALLBACK_ALLOW", joined(policy.allow), "operators that may in mode selective"),
      setting("OPENREG_FALLBACK_FORCE", joined(policy.force), "operators sent past their own kernel"),
      setting("OPENREG_FORWARDED", flag(*policy.forwarded), "0: box the forwarded operators too"),
      setting("OPENREG_FALLBACK_WARN", fallback::text_of(fallback::kWarningWords, *policy.warning),
              "tell of each fallback: off, once, always"),
      setting("OPENREG_FALLBACK_SUMMARY", flag(read.fallback_summary), "1: print what ran which way at the end"),
      setting("OPENREG_LOG_LEVEL", read.log_level, "off, error, warn, info, debug"),
      setting("OPENREG_DISABLE", "0", "1: stay without the device"),
  };
}

}  // namespace openreg::inspect
