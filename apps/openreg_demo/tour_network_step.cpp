#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/softmax.h>
#include <openreg/fallback.h>

#include "tour.h"
#include "ways.h"

namespace openreg::demo {
namespace {

// Convolution, batch norm, relu, pooling, abs, a linear layer and softmax.
struct SmallNetwork {
  at::Tensor filters, scale, shift, mean, variance, weight, bias;

  static SmallNetwork with_random_weights() {
    const auto generator = at::detail::createCPUGenerator(7);
    const auto randn = [&](c10::IntArrayRef sizes) { return at::randn(sizes, generator, at::kFloat); };
    return {randn({8, 3, 3, 3}), randn({8}), randn({8}), randn({8}), randn({8}).abs() + 1, randn({10, 8}), randn({10})};
  }

  SmallNetwork to(c10::Device device) const {
    return {filters.to(device),  scale.to(device),  shift.to(device), mean.to(device),
            variance.to(device), weight.to(device), bias.to(device)};
  }

  at::Tensor forward(const at::Tensor& image) const {
    auto x = at::conv2d(image, filters, {}, 1, 1);
    x = at::batch_norm(x, scale, shift, mean, variance, false, 0.1, 1e-5, false);
    x = at::relu(x) - 0.5;
    x = at::abs(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1));
    return at::softmax(at::linear(x, weight, bias), 1);
  }
};

}  // namespace

void step_network(Tour& tour) {
  tour.say("Convolution, batch norm, relu, pooling, abs, linear, softmax: 4 images of 3 x 32 x 32.");
  const auto on_cpu = SmallNetwork::with_random_weights();
  const auto image = at::linspace(-2, 2, 4 * 3 * 32 * 32).reshape({4, 3, 32, 32}).sin();
  const auto expected = on_cpu.forward(image);
  OPENREG_DEMO_SHOW(tour, const auto network = on_cpu.to(at::Device("openreg")));
  const at::Tensor x = image.to("openreg");
  const LedgerScope ledger;
  OPENREG_DEMO_SHOW(tour, const at::Tensor y = network.forward(x));
  tour.say("calls: " + ways_line(ledger.entries()));
  tour.check(y.device() == x.device(), "The result is on the device.");
  tour.check_equal("y", expected, y, 1e-5);
}

}  // namespace openreg::demo
