#include "hop.h"

#include <memory>
#include <string>

#include <ATen/core/dispatch/DispatchKeyExtractor.h>

#include "operator_keys.h"
#include "originals.h"
#include "recorder.h"

namespace openreg::trace::detail {
namespace {

struct OperatorInfo {
  c10::OperatorHandle handle;
  std::string_view name;
};

// Looked up at the first traced step and kept: at::_ops keeps its own handle in the same way.
const OperatorInfo* info_of(std::uint32_t op) {
  static auto* const infos = new std::atomic<const OperatorInfo*>[hooked_operator_count] {};
  const OperatorInfo* info = infos[op].load(std::memory_order_acquire);
  if (info == nullptr) {
    const HookedOperator& hooked = hooked_operators[op];
    const auto handle = c10::Dispatcher::singleton().findSchema({hooked.name, hooked.overload});
    if (!handle) {
      return nullptr;
    }
    auto made = std::make_unique<OperatorInfo>(OperatorInfo{*handle, interned(c10::toString(handle->operator_name()))});
    if (infos[op].compare_exchange_strong(info, made.get(), std::memory_order_acq_rel)) {
      info = made.release();
    }
  }
  return info;
}

Frame* enter(Kind kind, std::uint32_t op, c10::DispatchKeySet keys,
             const std::initializer_list<c10::DispatchKeySet>* arguments) noexcept {
  try {
    const OperatorInfo* const info = info_of(op);
    if (info == nullptr) {
      return nullptr;
    }
    if (kind == Kind::call) {
      keys = keys_of_call(info->handle, keys);
    }
    helpers().nesting_incr();
    const Arguments known{info->handle.schema(), arguments, {}};
    Frame* const frame =
        begin_step(kind, info->name, keys, helpers().nesting_value(), arguments == nullptr ? nullptr : &known);
    if (frame == nullptr) {
      helpers().nesting_decr();
    }
    return frame;
  } catch (...) {
    return nullptr;
  }
}

// Whether a step must be passed on unseen.
bool unseen() noexcept {
  ensure_ready();
  ThreadState& state = thread_state();
  state.probe_operator = state.probe_operator || state.probing;
  return state.busy || !tracing();
}

}  // namespace

// libtorch's own collector for each type of argument.
c10::DispatchKeySet keys_of(const at::Tensor& tensor) { return tensor.key_set(); }
c10::DispatchKeySet keys_of(const std::optional<at::Tensor>& tensor) {
  return c10::detail::multi_dispatch_key_set(tensor);
}
c10::DispatchKeySet keys_of(at::ArrayRef<at::Tensor> tensors) { return c10::detail::multi_dispatch_key_set(tensors); }
c10::DispatchKeySet keys_of(const at::ITensorListRef& tensors) { return c10::detail::multi_dispatch_key_set(tensors); }
c10::DispatchKeySet keys_of(const c10::List<std::optional<at::Tensor>>& tensors) {
  return c10::detail::multi_dispatch_key_set(tensors);
}
c10::DispatchKeySet keys_of(const at::Generator& generator) { return c10::detail::multi_dispatch_key_set(generator); }
c10::DispatchKeySet keys_of(const std::optional<at::Generator>& generator) {
  return c10::detail::multi_dispatch_key_set(generator);
}

Hop::Hop(std::uint32_t op, std::initializer_list<c10::DispatchKeySet> arguments) noexcept {
  if (unseen()) {
    return;
  }
  c10::DispatchKeySet keys;
  for (const c10::DispatchKeySet argument : arguments) {
    keys = keys | argument;
  }
  frame_ = enter(Kind::call, op, keys, &arguments);
  thread_state().reported = frame_ != nullptr;
}

Hop::Hop(std::uint32_t op, c10::DispatchKeySet keys) noexcept {
  if (!unseen()) {
    frame_ = enter(Kind::redispatch, op, keys, nullptr);
  }
}

Hop::~Hop() {
  if (frame_ != nullptr) {
    thread_state().reported = false;
    end_step(frame_);
    helpers().nesting_decr();
  }
}

}  // namespace openreg::trace::detail
