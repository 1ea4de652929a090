#pragma once

#include <string>

// Operators that are not run, or not compared in every way. Each with its reason.
namespace openreg::differential {

// Why an overload ("aten::add.out") is left out: "named tensors", "for CUDA alone"; "" when it is run.
std::string reason_to_skip(const std::string& name);

// True when the values of the results say nothing: uninitialised memory.
bool has_undefined_values(const std::string& name);

// True for composites that ask for the device and go another way on a CPU: other roundings, strides, refusals.
bool goes_its_own_way(const std::string& name);

// True for a tensor argument that must be on the CPU whatever the device, because the host's loop is steered by it.
bool stays_on_cpu(const std::string& name, const std::string& argument);

// True for a result that is on the CPU by its meaning.
bool result_on_cpu(const std::string& name, std::size_t index);

// What openreg says when it refuses an operator on purpose.
bool is_refusal(const std::string& error);

// Both say that nobody has a kernel for some operator.
bool both_lack_a_kernel(const std::string& cpu_error, const std::string& device_error);

}  // namespace openreg::differential
