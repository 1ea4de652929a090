#include "ops/autocast.h"

#include <ATen/autocast_mode.h>

#include "ops/autocast_dtype.h"

// Note [Autocast in boxed kernels]
// libtorch has a template for each policy, to be instantiated with each operator's signature. A policy only looks at
// tensors and at one optional dtype, and these can be found on the stack of any operator: one boxed kernel serves a
// whole list, and a list may name operators that the libtorch at hand does not have. at::autocast::cached_cast, which
// the kernels call, is libtorch's own, so that its cache and clear_cache() work.
namespace openreg::ops {
namespace {

using c10::DeviceType;
using torch::jit::Stack;

at::ArrayRef<c10::IValue> arguments_of(const c10::OperatorHandle& op, const Stack& stack) {
  const auto count = op.schema().arguments().size();
  return at::ArrayRef<c10::IValue>(stack).slice(stack.size() - count, count);
}

// Calls `action` with each defined tensor among a call's arguments.
template <typename Action>
void for_each_tensor(at::ArrayRef<c10::IValue> values, const Action& action) {
  for (const auto& value : values) {
    if (value.isTensor()) {
      action(value.toTensor());
    } else if (value.isTensorList() || value.isOptionalTensorList()) {
      for_each_tensor(value.toListRef(), action);
    }
  }
}

void cast_value(c10::IValue& value, at::ScalarType dtype) {
  if (value.isTensor()) {
    value = at::autocast::cached_cast(dtype, value.toTensor(), DeviceType::PrivateUse1);
  } else if (value.isTensorList() || value.isOptionalTensorList()) {
    const auto list = value.toList();  // the caller's: its elements stay as they are
    c10::impl::GenericList cast(list.elementType());
    cast.reserve(list.size());
    for (c10::IValue element : value.toListRef()) {
      cast_value(element, dtype);
      cast.push_back(std::move(element));
    }
    value = std::move(cast);
  }
}

void call_below_autocast(const c10::OperatorHandle& op, Stack* stack) {
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::DispatchKey::AutocastPrivateUse1);
  op.callBoxed(stack);
}

void call_in(at::ScalarType dtype, const c10::OperatorHandle& op, Stack* stack) {
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::DispatchKey::AutocastPrivateUse1);
  for (auto i = stack->size() - op.schema().arguments().size(); i < stack->size(); ++i) {
    cast_value((*stack)[i], dtype);
  }
  op.callBoxed(stack);
}

bool first_is_eligible(const c10::OperatorHandle& op, const Stack& stack) {
  const auto arguments = arguments_of(op, stack);
  return !arguments.empty() && arguments[0].isTensor() &&
         at::autocast::is_eligible(arguments[0].toTensor(), DeviceType::PrivateUse1);
}

at::ScalarType widest(const c10::OperatorHandle& op, const Stack& stack, at::ScalarType lower) {
  auto result = lower;
  for_each_tensor(arguments_of(op, stack), [&](const at::Tensor& tensor) {
    if (!at::autocast::is_eligible(tensor, DeviceType::PrivateUse1)) return;
    const auto dtype = tensor.scalar_type();
    TORCH_CHECK(dtype == at::kFloat || dtype == lower, "Operator '", op.operator_name(), "' under autocast to ", lower,
                ": its arguments must be ", lower, " or Float, but one is ", dtype, ". Convert it with Tensor::to.");
    if (dtype == at::kFloat) result = at::kFloat;
  });
  return result;
}

}  // namespace

void cast_to_lower_precision(const c10::OperatorHandle& op, Stack* stack) {
  const auto lower = autocast_dtype();
  return lower.has_value() ? call_in(*lower, op, stack) : call_below_autocast(op, stack);
}

void cast_to_float(const c10::OperatorHandle& op, Stack* stack) {
  return autocast_dtype().has_value() ? call_in(at::kFloat, op, stack) : call_below_autocast(op, stack);
}

void set_dtype_to_float(const c10::OperatorHandle& op, Stack* stack) {
  if (autocast_dtype().has_value() && first_is_eligible(op, *stack)) {
    const auto& arguments = op.schema().arguments();
    const auto first = stack->size() - arguments.size();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].name() == "dtype" && (*stack)[first + i].isNone()) {
        (*stack)[first + i] = at::kFloat;
      }
    }
  }
  call_below_autocast(op, stack);
}

void cast_to_widest(const c10::OperatorHandle& op, Stack* stack) {
  const auto lower = autocast_dtype();
  return lower.has_value() ? call_in(widest(op, *stack, *lower), op, stack) : call_below_autocast(op, stack);
}

void refuse_under_autocast(const c10::OperatorHandle& op, Stack* stack) {
  const auto lower = autocast_dtype();
  TORCH_CHECK(!lower.has_value(), "Operator '", op.operator_name(), "' is unsafe to autocast: in ",
              lower.value_or(at::kHalf),
              " its logarithm overflows. Give the values before the sigmoid to binary_cross_entropy_with_logits "
              "(torch::nn::BCEWithLogitsLoss), or call it with float tensors in a region with autocast off.");
  call_below_autocast(op, stack);
}

void AppendFloat::operator()(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack) {
  if (!autocast_dtype().has_value() || !first_is_eligible(op, *stack)) {
    return call_below_autocast(op, stack);
  }
  stack->emplace_back(at::kFloat);
  call_below_autocast(with_dtype_, stack);
}

}  // namespace openreg::ops
