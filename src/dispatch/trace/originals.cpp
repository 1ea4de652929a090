#include "originals.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <mutex>

#include "environment.h"
#include "recorder.h"

namespace openreg::trace::detail {

constinit std::atomic<std::uint8_t> gate{kUnready};

namespace {

Helpers found_helpers{};
std::string* missing = nullptr;

// Where the segments of our own image lie. Not dladdr, which searches the symbols of libtorch at every question.
struct Image {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

int find_image(dl_phdr_info* info, std::size_t /*size*/, void* result) {
  const auto here = reinterpret_cast<std::uintptr_t>(&found_helpers);
  Image image{UINTPTR_MAX, 0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (const auto& segment = info->dlpi_phdr[i]; segment.p_type == PT_LOAD) {
      image.begin = std::min<std::uintptr_t>(image.begin, info->dlpi_addr + segment.p_vaddr);
      image.end = std::max<std::uintptr_t>(image.end, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
    }
  }
  if (here < image.begin || here >= image.end) {
    return 0;
  }
  *static_cast<Image*>(result) = image;
  return 1;
}

// A call of an operator whose original is nowhere: the program was put together in a way that cannot work.
[[noreturn]] void no_original() {
  TORCH_CHECK(false, "The dispatch trace replaced a function of libtorch and cannot find the original (", *missing,
              "). Link libtorch as a shared library, or do not link openreg::dispatch_trace.");
}

// The next definition after ours; where ours comes after libtorch in the search order, the first one.
void* find_original(const char* symbol) noexcept {
  void* address = dlsym(RTLD_NEXT, symbol);
  if (address == nullptr) {
    address = dlsym(RTLD_DEFAULT, symbol);
  }
  if (address != nullptr && !in_our_image(address)) {
    return address;
  }
  if (missing->empty()) {
    *missing = symbol;
  }
  return reinterpret_cast<void*>(&no_original);
}

template <typename Function>
void find_helper(Function& function, const char* symbol) noexcept {
  function = reinterpret_cast<Function>(find_original(symbol));
}

void resolve() noexcept {
  missing = new std::string;
  for (std::size_t i = 0; i < hooked_operator_count; ++i) {
    originals[2 * i] = find_original(hooked_operators[i].call);
    originals[2 * i + 1] = find_original(hooked_operators[i].redispatch);
  }
  find_helper(found_helpers.step_callbacks, helper_symbols.step_callbacks);
  find_helper(found_helpers.run_record_function, helper_symbols.run_record_function);
  find_helper(found_helpers.run_record_function_with_inputs, helper_symbols.run_record_function_with_inputs);
  find_helper(found_helpers.show_dispatch_trace, helper_symbols.show_dispatch_trace);
  find_helper(found_helpers.print_dispatch_trace, helper_symbols.print_dispatch_trace);
  find_helper(found_helpers.nesting_incr, helper_symbols.nesting_incr);
  find_helper(found_helpers.nesting_decr, helper_symbols.nesting_decr);
  find_helper(found_helpers.nesting_value, helper_symbols.nesting_value);
}

}  // namespace

bool in_our_image(const void* address) noexcept {
  static const Image image = [] {
    Image found;
    dl_iterate_phdr(&find_image, &found);
    return found;
  }();
  const auto where = reinterpret_cast<std::uintptr_t>(address);
  return where >= image.begin && where < image.end;
}

const Helpers& helpers() noexcept { return found_helpers; }

const std::string& missing_original() noexcept { return *missing; }

Owner owner_of(const char* symbol, const void* original) noexcept {
  const void* const visible = dlsym(RTLD_DEFAULT, symbol);
  return in_our_image(visible) ? Owner::us : visible == original ? Owner::libtorch : Owner::another_copy;
}

void make_ready() noexcept {
  static std::recursive_mutex* const mutex = new std::recursive_mutex;
  const std::lock_guard lock(*mutex);
  static bool begun = false;
  if (!begun) {
    begun = true;
    resolve();
    start_for_environment();
    update_gate();
  }
}

namespace {
// Resolves before main where nobody came earlier: the first call of the program must not pay for it.
const bool ready_at_start = (ensure_ready(), report_at_start(), true);
}  // namespace

}  // namespace openreg::trace::detail
