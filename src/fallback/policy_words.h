#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "openreg/fallback.h"

namespace openreg::fallback {

// How OPENREG_FALLBACK and OPENREG_FALLBACK_WARN call the values; src/device/environment.cpp lets no other word pass.
template <typename Value>
struct Word {
  std::string_view text;
  Value value;
};
template <typename Value>
Word(std::string_view, Value) -> Word<Value>;  // clang 14 does not deduce it from the members

inline constexpr std::array kModeWords{Word{"global", FallbackMode::global}, Word{"selective", FallbackMode::selective},
                                       Word{"off", FallbackMode::off}, Word{"stock", FallbackMode::stock}};
inline constexpr std::array kWarningWords{Word{"off", FallbackWarning::off}, Word{"once", FallbackWarning::once},
                                          Word{"always", FallbackWarning::always}};

// The word must be one of them.
template <typename Words>
auto value_of(const Words& words, std::string_view text) {
  return std::ranges::find_if(words, [&](const auto& word) { return word.text == text; })->value;
}

template <typename Words, typename Value>
std::string text_of(const Words& words, Value value) {
  return std::string(std::ranges::find_if(words, [&](const auto& word) { return word.value == value; })->text);
}

}  // namespace openreg::fallback
