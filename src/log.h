#pragma once

#include <string_view>

// Logging, quiet unless OPENREG_LOG_LEVEL says otherwise. spdlog stays inside log.cpp.
namespace openreg::log {

enum class Level { debug, info, warn, error };

// True when a message of this level would be written: ask before building an expensive text.
bool enabled(Level level) noexcept;

void write(Level level, std::string_view message) noexcept;

}  // namespace openreg::log
