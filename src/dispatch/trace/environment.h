#pragma once

#pragma GCC visibility push(hidden)
namespace openreg::trace::detail {

/// Starts the trace to stderr if the environment asks for it and no other copy of this code does so already.
void start_for_environment() noexcept;

/// Says on stderr, in one line, why the trace that the environment asked for is incomplete.
void report_at_start() noexcept;

}  // namespace openreg::trace::detail
#pragma GCC visibility pop
