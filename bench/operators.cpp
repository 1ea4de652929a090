#include "operators.h"

#include <ATen/Functions.h>

#include "cases.h"
#include "inputs.h"

namespace openreg::bench {
namespace {

struct Size {
  const char* name;
  std::int64_t elements;
};
constexpr Size kSizes[] = {{"1", 1}, {"64", 64}, {"4 Ki", 1 << 12}, {"256 Ki", 1 << 18}, {"16 Mi", 1 << 24}};
constexpr std::int64_t kLarge = 1 << 20;  // beyond it only what memory limits

using Binary = at::Tensor (*)(const at::Tensor&, const at::Tensor&);

// An operator over all sizes. `moved` is how many values each element costs to read and write.
void add_series(const std::string& name, double moved,
                const std::function<std::function<void()>(std::int64_t, bool)>& make) {
  for (const auto& size : kSizes) {
    if (size.elements > kLarge && moved == 0) {
      continue;
    }
    const auto n = size.elements;
    cases().push_back({name + " " + size.name, [make, n](bool on_device) { return make(n, on_device); }, "Operators",
                       name, static_cast<double>(n), moved * 4 * static_cast<double>(n)});
  }
}

void add_unary(const std::string& name, at::Tensor (*op)(const at::Tensor&), double moved) {
  add_series(name, moved, [op](std::int64_t n, bool on_device) {
    return [op, a = random({n}, on_device)] { static_cast<void>(op(a)); };
  });
}

void add_one(const std::string& name, std::function<std::function<void()>(bool)> make) {
  cases().push_back({name, std::move(make), "Operators"});
}

void add_elementwise() {
  add_series("add", 3, [](std::int64_t n, bool on_device) {
    return [a = random({n}, on_device), b = random({n}, on_device)] { static_cast<void>(at::add(a, b)); };
  });
  add_series("add_", 3, [](std::int64_t n, bool on_device) {
    return [a = random({n}, on_device), b = random({n}, on_device)]() mutable { a.add_(b); };
  });
  add_series("add out=", 3, [](std::int64_t n, bool on_device) {
    return [a = random({n}, on_device), b = random({n}, on_device), out = random({n}, on_device)]() mutable {
      at::add_out(out, a, b);
    };
  });
  add_series("mul by a number", 2, [](std::int64_t n, bool on_device) {
    return [a = random({n}, on_device)] { static_cast<void>(at::mul(a, 2.0)); };
  });
  add_series("fill_", 1,
             [](std::int64_t n, bool on_device) { return [a = random({n}, on_device)]() mutable { a.fill_(1); }; });
  add_unary("abs", &at::abs, 2);
  add_unary("relu", &at::relu, 2);
  add_unary("exp", &at::exp, 0);
  add_unary("sigmoid", &at::sigmoid, 0);
}

void add_reductions() {
  add_series("sum", 1, [](std::int64_t n, bool on_device) {
    return [a = random({n}, on_device)] { static_cast<void>(at::sum(a)); };
  });
  add_series("softmax", 0, [](std::int64_t n, bool on_device) {
    return [a = random({1, n}, on_device)] { static_cast<void>(at::softmax(a, 1)); };
  });
  add_series("argmax", 0, [](std::int64_t n, bool on_device) {
    return [a = random({n}, on_device)] { static_cast<void>(at::argmax(a)); };
  });
  add_series("cat of two", 2, [](std::int64_t n, bool on_device) {
    return [a = random({n}, on_device)] { static_cast<void>(at::cat({a, a})); };
  });
}

void add_network() {
  for (const std::int64_t n : {4, 64, 512}) {
    add_one("mm " + std::to_string(n), [n](bool on_device) {
      return [a = random({n, n}, on_device), b = random({n, n}, on_device)] { static_cast<void>(at::mm(a, b)); };
    });
  }
  add_one("linear 1x64 to 64", [](bool on_device) {
    return [x = random({1, 64}, on_device), w = random({64, 64}, on_device), b = random({64}, on_device)] {
      static_cast<void>(at::linear(x, w, b));
    };
  });
  add_one("layer_norm 16x64", [](bool on_device) {
    return [x = random({16, 64}, on_device), w = random({64}, on_device)] {
      static_cast<void>(at::layer_norm(x, {64}, w, w));
    };
  });
  add_one("batch_norm 1x8x8x8", [](bool on_device) {
    return [x = random({1, 8, 8, 8}, on_device), w = random({8}, on_device)] {
      static_cast<void>(at::batch_norm(x, w, w, w, w, false, 0.1, 1e-5, false));
    };
  });
  add_one("conv2d 3x3 2x8x8", [](bool on_device) {
    return [x = random({1, 2, 8, 8}, on_device), w = random({2, 2, 3, 3}, on_device)] {
      static_cast<void>(at::conv2d(x, w));
    };
  });
  add_one("conv2d 3x3 64x56x56", [](bool on_device) {
    return [x = random({1, 64, 56, 56}, on_device), w = random({64, 64, 3, 3}, on_device)] {
      static_cast<void>(at::conv2d(x, w, {}, 1, 1));
    };
  });
}

}  // namespace

void add_operator_cases() {
  add_elementwise();
  add_reductions();
  add_network();
}

}  // namespace openreg::bench
