#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>

#include "hop.h"

#pragma GCC visibility push(hidden)
namespace openreg::trace::detail {

/// Bits of the gate; see off().
constexpr std::uint8_t kUnready = 1;
constexpr std::uint8_t kTracing = 2;
constexpr std::uint8_t kProbing = 4;

/// Finds libtorch's own functions, starts the tracing that the environment asks for, and opens the gate. Never throws.
void make_ready() noexcept;
inline void ensure_ready() noexcept {
  if ((gate.load(std::memory_order_acquire) & kUnready) != 0) {
    make_ready();
  }
}

/// libtorch's own functions behind those that the trace replaces.
struct Helpers {
  std::optional<at::StepCallbacks> (*step_callbacks)(at::RecordScope);
  void (*run_record_function)(at::RecordFunction&, at::RecordFunction::schema_ref_t, c10::DispatchKey,
                              c10::DispatchKeySet);
  void (*run_record_function_with_inputs)(at::RecordFunction&, at::RecordFunction::schema_ref_t, c10::DispatchKey,
                                          c10::DispatchKeySet, c10::ArrayRef<const c10::IValue>);
  bool (*show_dispatch_trace)();
  void (*print_dispatch_trace)(const std::string&, const std::string&, const c10::DispatchKeySet&);
  void (*nesting_incr)();
  void (*nesting_decr)();
  std::int64_t (*nesting_value)();
};
const Helpers& helpers() noexcept;

/// Why some original is missing; empty if all were found.
const std::string& missing_original() noexcept;

/// Where the search order of the process leads for a symbol that the trace replaces.
enum class Owner { us, libtorch, another_copy };
Owner owner_of(const char* symbol, const void* original) noexcept;

/// Whether the address lies in the program or library that this code was linked into.
bool in_our_image(const void* address) noexcept;

}  // namespace openreg::trace::detail
#pragma GCC visibility pop
