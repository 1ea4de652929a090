#include "log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/ansicolor_sink.h>

#include "device/environment.h"

namespace openreg::log {
namespace {

spdlog::level::level_enum to_spdlog(Level level) {
  switch (level) {
    case Level::debug:
      return spdlog::level::debug;
    case Level::info:
      return spdlog::level::info;
    case Level::warn:
      return spdlog::level::warn;
    case Level::error:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

// Leaked: destructors of static tensors may log.
spdlog::logger& logger() {
  static auto* const instance = [] {
    auto sink = std::make_shared<spdlog::sinks::ansicolor_stderr_sink_mt>();
    auto* made = new spdlog::logger("openreg", std::move(sink));
    made->set_pattern("[%n] [%^%l%$] %v");
    made->set_level(spdlog::level::from_str(device::environment().log_level));
    return made;
  }();
  return *instance;
}

}  // namespace

bool enabled(Level level) noexcept {
  try {
    return logger().should_log(to_spdlog(level));
  } catch (...) {
    return false;
  }
}

void write(Level level, std::string_view message) noexcept {
  try {
    logger().log(to_spdlog(level), spdlog::string_view_t(message.data(), message.size()));
  } catch (...) {
    // A message that cannot be written must not end the program that it is about.
  }
}

}  // namespace openreg::log
