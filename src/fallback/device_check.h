#pragma once

#include <ATen/core/stack.h>
#include <c10/core/Device.h>

#include <optional>

#include "fallback/operator_info.h"

namespace openreg::fallback {

// The device of the call: that of all device tensors among the arguments, or of the Device argument.
// Throws c10's text when tensors lie on two devices: a CPU tensor among device tensors must be 0-dim and not
// written, because the CPU kernel sees CPU tensors only and cannot tell any more.
c10::Device check_devices(const OperatorInfo& info, c10::ArrayRef<c10::IValue> arguments);

}  // namespace openreg::fallback
