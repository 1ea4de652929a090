#include "memory.h"

#include <ATen/Functions.h>

#include "cases.h"
#include "inputs.h"

namespace openreg::bench {
namespace {

struct ByteSize {
  const char* name;
  std::int64_t elements;
};
constexpr ByteSize kByteSizes[] = {{"4 B", 1}, {"4 KiB", 1 << 10}, {"1 MiB", 1 << 18}, {"64 MiB", 1 << 24}};

void add_sized_case(const char* group, const char* series, const ByteSize& size, double moved,
                    std::function<std::function<void()>(bool)> make, bool alone = false) {
  Case one{
      std::string(series) + " " + size.name,         std::move(make), group, series, static_cast<double>(size.elements),
      moved * 4 * static_cast<double>(size.elements)};
  one.openreg_alone = alone;
  cases().push_back(std::move(one));
}

}  // namespace

void add_memory_cases() {
  for (const auto& size : kByteSizes) {
    add_sized_case(
        "Memory", "make and free", size, 0,
        [n = size.elements](bool on_device) {
          return [n, options = at::TensorOptions(at::kFloat).device(device_of(on_device))] {
            static_cast<void>(at::empty({n}, options));
          };
        },
        true);
  }
}

void add_copy_cases() {
  for (const auto& size : kByteSizes) {
    const auto n = size.elements;
    add_sized_case("Copies", "copy_ within", size, 2, [n](bool on_device) {
      return [a = random({n}, on_device), b = random({n}, on_device)]() mutable { a.copy_(b); };
    });
    add_sized_case("Copies", "clone", size, 2,
                   [n](bool on_device) { return [a = random({n}, on_device)] { static_cast<void>(a.clone()); }; });
    add_sized_case("Copies", "copy_ from the CPU", size, 2, [n](bool on_device) {
      return [a = random({n}, on_device), b = random({n}, false)]() mutable { a.copy_(b); };
    });
    add_sized_case("Copies", "copy_ to the CPU", size, 2, [n](bool on_device) {
      return [a = random({n}, false), b = random({n}, on_device)]() mutable { a.copy_(b); };
    });
  }
}

}  // namespace openreg::bench
