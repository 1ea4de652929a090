#include "ops/recurrent_layers.h"

#include <ATen/ops/gru.h>
#include <ATen/ops/gru_native.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/lstm_native.h>
#include <c10/core/GradMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <algorithm>
#include <vector>

#include "device/runtime.h"
#include "fallback/host_call.h"
#include "fallback/policy.h"

namespace openreg::ops {
namespace {

bool is_plain(const at::Tensor& tensor, c10::Device device) {
  return tensor.defined() && tensor.device() == device && !(tensor.requires_grad() && c10::GradMode::is_enabled()) &&
         !tensor._fw_grad(/*level=*/0).defined();
}

bool is_autocast_on() { return !c10::impl::tls_is_dispatch_key_excluded(c10::DispatchKey::AutocastPrivateUse1); }

bool runs_as_a_whole(const at::Tensor& input, at::TensorList states, at::TensorList parameters, bool drops_out) {
  const auto device = input.device();
  const auto are_plain = [&](at::TensorList tensors) {
    return std::all_of(tensors.begin(), tensors.end(), [&](const auto& tensor) { return is_plain(tensor, device); });
  };
  return !drops_out && !is_autocast_on() && !fallback::is_stock() && device.type() == device::kDeviceType &&
         is_plain(input, device) && are_plain(states) && are_plain(parameters);
}

// Around a layer that runs on the host as a whole.
class WholeLayer {
 public:
  WholeLayer(fallback::OperatorRecord& record, c10::Device device)
      : timer_(record, Way::native), call_(record.name().c_str(), device) {}

  fallback::HostCall* operator->() { return &call_; }
  std::vector<at::Tensor> in(at::TensorList tensors) {
    std::vector<at::Tensor> hosts;
    hosts.reserve(tensors.size());
    for (const auto& tensor : tensors) hosts.push_back(call_.in(tensor));
    return hosts;
  }

 private:
  fallback::LedgerTimer timer_;
  c10::impl::ExcludeDispatchKeyGuard no_autocast_{c10::autocast_dispatch_keyset};
  fallback::HostCall call_;
};

}  // namespace

std::tuple<at::Tensor, at::Tensor, at::Tensor> lstm(const at::Tensor& input, at::TensorList states,
                                                    at::TensorList parameters, bool has_biases, std::int64_t layers,
                                                    double dropout, bool train, bool bidirectional, bool batch_first) {
  if (!runs_as_a_whole(input, states, parameters, train && dropout > 0)) {
    return at::native::lstm(input, states, parameters, has_biases, layers, dropout, train, bidirectional, batch_first);
  }
  static auto& record = fallback::operator_record("aten::lstm.input");
  WholeLayer layer(record, input.device());
  auto [output, hidden, cells] = at::lstm(layer->in(input), layer.in(states), layer.in(parameters), has_biases, layers,
                                          dropout, train, bidirectional, batch_first);
  return layer->results(std::move(output), std::move(hidden), std::move(cells));
}

std::tuple<at::Tensor, at::Tensor> gru(const at::Tensor& input, const at::Tensor& state, at::TensorList parameters,
                                       bool has_biases, std::int64_t layers, double dropout, bool train,
                                       bool bidirectional, bool batch_first) {
  if (!runs_as_a_whole(input, state, parameters, train && dropout > 0)) {
    return at::native::gru(input, state, parameters, has_biases, layers, dropout, train, bidirectional, batch_first);
  }
  static auto& record = fallback::operator_record("aten::gru.input");
  WholeLayer layer(record, input.device());
  auto [output, hidden] = at::gru(layer->in(input), layer->in(state), layer.in(parameters), has_biases, layers, dropout,
                                  train, bidirectional, batch_first);
  return layer->results(std::move(output), std::move(hidden));
}

}  // namespace openreg::ops
