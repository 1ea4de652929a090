#pragma once

#include <string>
#include <string_view>

namespace openreg::generator {

// The text with comments, literals' contents and preprocessor lines blanked. Offsets and line breaks stay.
std::string code_of(std::string_view text);

// Blanks joined to one, and none left where none is needed:
//   "void (*)( const Tensor & )" -> "void(*)(const Tensor&)"
std::string tidied(std::string_view code);

bool is_word(char c);

}  // namespace openreg::generator
