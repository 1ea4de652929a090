#pragma once

#include <ATen/core/ivalue.h>

#include <optional>
#include <string>

namespace openreg::demo {

// What --input takes apart from files, in one sentence.
inline constexpr const char* kInputForms =
    "an input is DTYPE:SHAPE (float:1x3x96x96), DTYPE:SHAPE:LOW..HIGH (long:1x16:0..999), int=16000, float=0.5, "
    "bool=true, str=TEXT, none, or a file of saved tensors";

// The value that a specification describes; empty when it is none, and so should be a file.
//
// Tensors are drawn on the CPU from its default generator: floating and complex ones uniformly from [-1, 1), integers
// from 0..9, bools from both. LOW..HIGH sets other bounds; for integers HIGH is among the values. An empty SHAPE makes
// a tensor without dimensions.
//
// Throws c10::Error that names the specification when it begins as one and goes on wrongly.
std::optional<c10::IValue> value_from_spec(const std::string& spec);

}  // namespace openreg::demo
