#pragma once

#include <torch/library.h>

#include <source_location>

namespace openreg {

// What TORCH_LIBRARY_IMPL(ns, key, m) gives as m, but leaked: see Note [One registration]. The dispatcher's tables
// show the caller's file and line.
inline torch::Library& library(const char* ns, c10::DispatchKey key,
                               std::source_location where = std::source_location::current()) {
  return *new torch::Library(torch::Library::IMPL, ns, key, where.file_name(), where.line());
}

}  // namespace openreg
