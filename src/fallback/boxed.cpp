#include "fallback/boxed.h"

#include <ATen/core/List.h>
#include <ATen/native/CPUFallback.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>

#include "device/generator.h"
#include "device/runtime.h"
#include "device/streams.h"
#include "dispatch/boxed_redispatch.h"
#include "fallback/device_check.h"
#include "fallback/host_allocator.h"
#include "fallback/host_session.h"
#include "fallback/policy.h"

namespace openreg::fallback {
namespace {

constinit std::atomic<ResultHook> result_hook{nullptr};

// Turns the arguments of one call into what the CPU kernel takes.
class ArgumentConverter {
 public:
  ArgumentConverter(HostSession& session, const OperatorInfo& info, c10::Device target)
      : session_(session), info_(info), target_(target) {}

  void convert(c10::IValue& value, const OperatorInfo::Argument& rule) {
    if (value.isTensor()) {
      if (is_ours(value.toTensor())) {
        value = session_.host(value.toTensor(), rule.written);
      }
    } else if (value.isNone()) {
      if (rule.is_generator && target_.type() == device::kDeviceType) {
        value = device::host_twin({}, target_);
      }
    } else if (value.isList()) {
      convert_list(value, rule);
    } else if (value.isDevice()) {
      if (value.toDevice().type() == device::kDeviceType) {
        value = c10::Device(c10::DeviceType::CPU);
      }
    } else if (value.isGenerator()) {
      if (target_.type() == device::kDeviceType) {
        value = device::host_twin(value.toGenerator(), target_);
      }
    } else if (value.isTuple() || value.isGenericDict() || value.isStorage() || value.isStream()) {
      refuse(value);
    }
  }

 private:
  static bool is_ours(const at::Tensor& tensor) {
    return tensor.defined() && tensor.device().type() == device::kDeviceType;
  }

  void convert_list(c10::IValue& value, const OperatorInfo::Argument& rule) {
    if (value.isIntList() || value.isDoubleList() || value.isBoolList()) {
      return;
    }
    if (value.isTensorList()) {
      c10::List<at::Tensor> converted;
      converted.reserve(value.toListRef().size());
      for (const c10::IValue& element : value.toListRef()) {
        const auto& tensor = element.toTensor();
        converted.push_back(is_ours(tensor) ? session_.host(tensor, rule.written) : tensor);
      }
      value = std::move(converted);
      return;
    }
    const auto list = value.toList();
    c10::impl::GenericList converted(list.elementType());
    converted.reserve(list.size());
    for (c10::IValue element : value.toListRef()) {
      convert(element, {rule.written, rule.cpu_allowed, false});
      converted.push_back(std::move(element));
    }
    value = std::move(converted);
  }

  [[noreturn]] void refuse(const c10::IValue& value) const {
    TORCH_CHECK_NOT_IMPLEMENTED(false, "Operator '", info_.record.name(), "' cannot fall back to the CPU: it takes a ",
                                value.tagKind(), ", in which tensors of ", device::kBackendName,
                                " may hide. Call it on CPU tensors.");
  }

  HostSession& session_;
  const OperatorInfo& info_;
  c10::Device target_;
};

void announce_result(HostSession& session, const c10::IValue& value) {
  if (value.isTensor()) {
    session.announce(value.toTensor());
  } else if (value.isTensorList()) {
    for (const c10::IValue& element : value.toListRef()) {
      session.announce(element.toTensor());
    }
  }
}

at::Tensor device_result(HostSession& session, at::Tensor host, c10::Device target) {
  auto result = session.to_device(std::move(host), target);
  if (const auto hook = result_hook.load(std::memory_order_relaxed); C10_UNLIKELY(hook != nullptr)) {
    hook(result);
  }
  return result;
}

void convert_result(HostSession& session, c10::IValue& value, c10::Device target) {
  if (value.isTensor()) {
    value = device_result(session, std::move(value).toTensor(), target);
  } else if (value.isTensorList()) {
    auto list = value.toTensorList();
    for (std::size_t i = 0; i < list.size(); ++i) {
      list.set(i, device_result(session, list.extract(i), target));
    }
  }
}

void announce_fallback(const OperatorInfo& info, FallbackWarning mode) {
  if (mode == FallbackWarning::always || (mode == FallbackWarning::once && info.record.first_time())) {
    TORCH_WARN("Operator '", info.record.name(), "' has no kernel of its own for device ", device::kBackendName,
               " and runs on the CPU. OPENREG_FALLBACK_WARN=off silences this.");
  }
}

}  // namespace

void run_on_host(const OperatorInfo& info, Way way, torch::jit::Stack* stack, c10::DispatchKey key) {
  if (C10_UNLIKELY(key == c10::DispatchKey::CPU && !info.has_cpu_kernel)) {
    throw_not_implemented(info.record.name(), Verdict::run);
  }
  LedgerTimer timer(info.record, way);
  const auto first = stack->size() - info.arguments.size();
  const auto target = check_devices(info, c10::ArrayRef<c10::IValue>(stack->data() + first, info.arguments.size()));
  const bool on_device = target.type() == device::kDeviceType;
  if (on_device) {
    device::order_with_current_stream(target.index());  // scratch and results may get a block that it used
  }
  HostSession session(info.record.name().c_str());
  ArgumentConverter converter(session, info, target);
  if (info.writes) {
    // Written arguments first: a copy-on-write storage must be its tensor's own before anything maps it.
    for (std::size_t i = 0; i < info.arguments.size(); ++i) {
      if (info.arguments[i].written) {
        converter.convert((*stack)[first + i], info.arguments[i]);
      }
    }
  }
  for (std::size_t i = 0; i < info.arguments.size(); ++i) {
    if (!info.arguments[i].written) {
      converter.convert((*stack)[first + i], info.arguments[i]);
    }
  }
  try {
    const AdoptionScope adoption(on_device ? target.index() : c10::DeviceIndex{-1});
    const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
    dispatch::redispatch_boxed(info.handle, c10::DispatchKeySet(key), stack);
  } catch (...) {
    session.write_back();
    throw;
  }
  session.write_back();
  if (on_device) {
    const auto results = stack->size() - info.returns;
    for (std::size_t i = results; i < stack->size(); ++i) {
      announce_result(session, (*stack)[i]);
    }
    for (std::size_t i = results; i < stack->size(); ++i) {
      convert_result(session, (*stack)[i], target);
    }
  }
  timer.add_bytes(session.bytes_copied());
}

void run_by_policy(const OperatorInfo& info, Way way, torch::jit::Stack* stack) {
  const auto verdict = info.record.verdict();
  if (C10_UNLIKELY(verdict == Verdict::forbidden)) {
    if (way != Way::global_fallback && info.has_composite_kernel) {
      // A backend key that nobody registers computes to the composite kernel, as openreg's would have.
      dispatch::redispatch_boxed(info.handle, c10::DispatchKeySet(c10::DispatchKey::PrivateUse3), stack);
      return;
    }
    throw_not_implemented(info.record.name(), verdict);
  }
  if (C10_UNLIKELY(verdict == Verdict::blocked || verdict == Verdict::off || verdict == Verdict::unlisted)) {
    throw_not_implemented(info.record.name(), verdict);
  }
  TORCH_CHECK(C10_LIKELY(no_fallback_depth == 0), "Operator '", info.record.name(),
              "' fell back to the CPU inside "
              "openreg::ExpectNoFallback.");
  if (const auto mode = warning_mode.load(std::memory_order_relaxed); mode != FallbackWarning::off) {
    announce_fallback(info, mode);
  }
  if (C10_UNLIKELY(is_stock())) {
    LedgerTimer timer(info.record, way);
    at::native::cpu_fallback(info.handle, stack);
    return;
  }
  run_on_host(info, way, stack);
}

void set_result_hook(ResultHook hook) noexcept {
  result_hook.store(hook, std::memory_order_relaxed);
  policy_epoch.fetch_add(1, std::memory_order_release);
}

bool has_result_hook() noexcept { return result_hook.load(std::memory_order_relaxed) != nullptr; }

void global_fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  run_by_policy(operator_info(op), Way::global_fallback, stack);
}

void selective_fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const auto& info = operator_info(op);
  const auto verdict = info.record.verdict();
  if (verdict == Verdict::off || verdict == Verdict::unlisted) {
    run_on_host(info, Way::explicit_fallback, stack);
    return;
  }
  run_by_policy(info, Way::explicit_fallback, stack);
}

void refuse_layout(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack*) {
  const bool quantized = keys.has(c10::DispatchKey::QuantizedPrivateUse1);
  TORCH_CHECK_NOT_IMPLEMENTED(!quantized, "Operator '", op.operator_name(),
                              "' is not implemented for quantized tensors "
                              "on device ",
                              device::kBackendName,
                              ", where they can be made, copied, viewed, read back "
                              "and printed. Dequantize first, or call it on the CPU.");
  const char* kind = keys.has(c10::DispatchKey::NestedTensorPrivateUse1) ? "nested" : "sparse";
  TORCH_CHECK_NOT_IMPLEMENTED(false, "Operator '", op.operator_name(), "' is not implemented for ", kind,
                              " tensors on device ", device::kBackendName, ": it has strided tensors only. Use ", kind,
                              " tensors on the CPU, or make them dense before you move them.");
}

void refuse_nested_result(const c10::OperatorHandle& op, torch::jit::Stack*) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "Operator '", op.operator_name(), "' gives a nested tensor, which device ",
                              device::kBackendName,
                              " does not have: it supports strided tensors only. Call it on the "
                              "CPU: move the input with Tensor::cpu().");
}

}  // namespace openreg::fallback
