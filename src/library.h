#pragma once

#include <torch/library.h>

#include <cstdint>

namespace openreg {

// What TORCH_LIBRARY_IMPL(ns, key, m) gives as m, but leaked: see Note [One registration]. The dispatcher's tables
// show the caller's file and line; clang 14 has no std::source_location.
inline torch::Library& library(const char* ns, c10::DispatchKey key, const char* file = __builtin_FILE(),
                               int line = __builtin_LINE()) {
  return *new torch::Library(torch::Library::IMPL, ns, key, file, static_cast<std::uint32_t>(line));
}

}  // namespace openreg
