#include "operators.h"

#include <ATen/Functions.h>

#include "cases.h"
#include "openreg/openreg.h"

namespace openreg::bench {
namespace {

at::Tensor random(at::IntArrayRef sizes, bool on_device) {
  const auto tensor = at::randn(sizes);
  return on_device ? tensor.to(parse_device("openreg")) : tensor;
}

void add_case(std::string name, std::function<std::function<void()>(bool)> make) {
  cases().push_back({std::move(name), std::move(make)});
}

struct Size {
  const char* name;
  std::int64_t elements;
};
constexpr Size kSizes[] = {{"1", 1}, {"1 Ki", 1 << 10}, {"256 Ki", 1 << 18}, {"16 Mi", 1 << 24}};

}  // namespace

void add_operator_cases() {
  for (const auto& size : kSizes) {
    const auto n = size.elements;
    add_case(std::string("add ") + size.name, [n](bool on_device) {
      return [a = random({n}, on_device), b = random({n}, on_device)] { static_cast<void>(at::add(a, b)); };
    });
    add_case(std::string("add_ ") + size.name, [n](bool on_device) {
      return [a = random({n}, on_device), b = random({n}, on_device)]() mutable { a.add_(b); };
    });
    add_case(std::string("abs ") + size.name,
             [n](bool on_device) { return [a = random({n}, on_device)] { static_cast<void>(at::abs(a)); }; });
  }
  add_case("mm 512", [](bool on_device) {
    return [a = random({512, 512}, on_device), b = random({512, 512}, on_device)] { static_cast<void>(at::mm(a, b)); };
  });
  add_case("conv 3x3 64x56x56", [](bool on_device) {
    return [x = random({1, 64, 56, 56}, on_device), w = random({64, 64, 3, 3}, on_device)] {
      static_cast<void>(at::conv2d(x, w, {}, 1, 1));
    };
  });
}

}  // namespace openreg::bench
