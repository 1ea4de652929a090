#pragma once

#include <ATen/core/ivalue.h>
#include <c10/core/Device.h>

#include <string>

namespace openreg::demo {

// The value with every tensor in it copied to the device, however deep in tuples, lists and dicts. Objects of a
// model's own classes stay as they are.
c10::IValue copied_to(const c10::IValue& value, c10::Device device);

// What a value is, for people: "float [1, 3, 96, 96]", "int 16000", "tuple of 2".
std::string describe(const c10::IValue& value);

// "float", "bfloat16", "bool" ...: the words that --input takes, libtorch's own for other types.
std::string dtype_text(c10::ScalarType dtype);

}  // namespace openreg::demo
