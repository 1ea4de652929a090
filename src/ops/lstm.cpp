#include "ops/lstm.h"

#include <ATen/ops/lstm.h>
#include <ATen/ops/lstm_native.h>
#include <c10/core/GradMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <algorithm>
#include <vector>

#include "device/runtime.h"
#include "fallback/host_call.h"
#include "fallback/operator_record.h"

namespace openreg::ops {
namespace {

bool is_plain(const at::Tensor& tensor, c10::Device device) {
  return tensor.defined() && tensor.device() == device && !(tensor.requires_grad() && c10::GradMode::is_enabled()) &&
         !tensor._fw_grad(/*level=*/0).defined();
}

bool are_plain(at::TensorList tensors, c10::Device device) {
  return std::all_of(tensors.begin(), tensors.end(), [&](const auto& tensor) { return is_plain(tensor, device); });
}

bool is_autocast_on() { return !c10::impl::tls_is_dispatch_key_excluded(c10::DispatchKey::AutocastPrivateUse1); }

}  // namespace

std::tuple<at::Tensor, at::Tensor, at::Tensor> lstm(const at::Tensor& input, at::TensorList states,
                                                    at::TensorList parameters, bool has_biases, std::int64_t layers,
                                                    double dropout, bool train, bool bidirectional, bool batch_first) {
  const auto device = input.device();
  if ((train && dropout > 0) || is_autocast_on() || device.type() != device::kDeviceType || !is_plain(input, device) ||
      !are_plain(states, device) || !are_plain(parameters, device)) {
    return at::native::lstm(input, states, parameters, has_biases, layers, dropout, train, bidirectional, batch_first);
  }
  static auto& record = fallback::operator_record("aten::lstm.input");
  const fallback::LedgerTimer timer(record, Way::native);
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
  fallback::HostCall call("aten::lstm.input", device);
  const auto in = [&](at::TensorList tensors) {
    std::vector<at::Tensor> hosts;
    hosts.reserve(tensors.size());
    for (const auto& tensor : tensors) hosts.push_back(call.in(tensor));
    return hosts;
  };
  auto [output, hidden, cells] = at::lstm(call.in(input), in(states), in(parameters), has_biases, layers, dropout,
                                          train, bidirectional, batch_first);
  return call.results(std::move(output), std::move(hidden), std::move(cells));
}

}  // namespace openreg::ops
