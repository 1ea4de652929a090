#pragma once

#include <c10/core/ScalarType.h>

#include <array>
#include <string_view>
#include <utility>

namespace openreg::demo {

// How element types are written on the command line and in the output.
inline constexpr std::array<std::pair<std::string_view, c10::ScalarType>, 12> kDtypeNames{{
    {"float", c10::ScalarType::Float},
    {"double", c10::ScalarType::Double},
    {"half", c10::ScalarType::Half},
    {"bfloat16", c10::ScalarType::BFloat16},
    {"long", c10::ScalarType::Long},
    {"int", c10::ScalarType::Int},
    {"short", c10::ScalarType::Short},
    {"int8", c10::ScalarType::Char},
    {"uint8", c10::ScalarType::Byte},
    {"bool", c10::ScalarType::Bool},
    {"complex64", c10::ScalarType::ComplexFloat},
    {"complex128", c10::ScalarType::ComplexDouble},
}};

}  // namespace openreg::demo
