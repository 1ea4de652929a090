#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <vector>

#include "fallback/operator_record.h"

namespace openreg::fallback {

// What the fallback needs to know of an operator's schema, read once.
struct OperatorInfo {
  struct Argument {
    bool written = false;       // the schema says that the kernel writes it
    bool cpu_allowed = false;   // see kCpuArguments
    bool is_generator = false;  // Generator or Generator?
  };

  explicit OperatorInfo(const c10::OperatorHandle& op);

  c10::OperatorHandle handle;
  OperatorRecord& record;
  std::vector<Argument> arguments;
  std::size_t returns;
  bool writes = false;                // any argument is written
  bool has_cpu_kernel = false;        // a kernel or a composite that CPU tensors reach
  bool has_composite_kernel = false;  // what a backend without any kernel reaches
};

// The info of a registered operator. The result lives until the operator is unregistered.
const OperatorInfo& operator_info(const c10::OperatorHandle& op);

}  // namespace openreg::fallback
