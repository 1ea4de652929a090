#include <ATen/Functions.h>
#include <torch/library.h>

#include "cases.h"
#include "inputs.h"
#include "memory.h"
#include "openreg/openreg.h"

namespace openreg::bench {
namespace {

constexpr std::int64_t kTensors = 1'000'000;
constexpr int kOperators = 3000;

std::function<void()> add_of_one(const at::Device& device) {
  const auto a = at::rand({1}).to(device);
  return [a] { static_cast<void>(at::add(a, a)); };
}

void add_growth_case(const std::string& name, std::function<std::function<void()>()> make) {
  Case one{name, [make = std::move(make)](bool on_device) { return on_device ? make() : nullptr; },
           "What the cost does not depend on"};
  one.openreg_alone = true;
  cases().push_back(std::move(one));
}

struct Live {
  std::vector<at::Tensor> tensors;
  explicit Live(const at::Device& device) {
    const auto options = at::TensorOptions(at::kFloat).device(device);
    tensors.reserve(kTensors);
    for (std::int64_t i = 0; i < kTensors; ++i) {
      tensors.push_back(at::empty({1}, options));
    }
  }
};

// Libraries stay: what is timed after this has them too, and it is the last group.
void register_more_operators() {
  static torch::Library* const library = [] {
    auto* made = new torch::Library(torch::Library::DEF, "openreg_bench", std::nullopt, __FILE__, __LINE__);
    for (int i = 0; i < kOperators; ++i) {
      made->def(("extra" + std::to_string(i) + "(Tensor x) -> Tensor").c_str(), [](const at::Tensor& x) { return x; });
    }
    return made;
  }();
  static_cast<void>(library);
}

}  // namespace

void add_growth_cases() {
  add_growth_case("add 1", [] { return add_of_one(device_of(true)); });
  add_growth_case("add 1, 10^6 live tensors", [] {
    const auto live = std::make_shared<Live>(device_of(true));
    return [live, body = add_of_one(device_of(true))] { body(); };
  });
  add_growth_case("make and free, 10^6 live tensors", [] {
    const auto live = std::make_shared<Live>(device_of(true));
    return [live, options = live->tensors[0].options()] { static_cast<void>(at::empty({1}, options)); };
  });
  add_growth_case("add 1 on the last device", [] {
    return add_of_one(at::Device(device_of(true).type(), static_cast<at::DeviceIndex>(device_count() - 1)));
  });
  add_growth_case("add 1, " + std::to_string(kOperators) + " more operators", [] {
    register_more_operators();
    return add_of_one(device_of(true));
  });
}

}  // namespace openreg::bench
