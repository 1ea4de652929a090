#pragma once

#include <torch/library.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace openreg {

// Leaked: see Note [One registration]; but reachable, so that leak checkers are silent. One thread at a time.
inline torch::Library& keep(std::unique_ptr<torch::Library> library) {
  static auto* const kept = new std::vector<std::unique_ptr<torch::Library>>;
  return *kept->emplace_back(std::move(library));
}

// What TORCH_LIBRARY_IMPL(ns, key, m) gives as m. The dispatcher's tables show the caller's file and line; clang 14 has
// no std::source_location.
inline torch::Library& library(const char* ns, c10::DispatchKey key, const char* file = __builtin_FILE(),
                               int line = __builtin_LINE()) {
  return keep(std::make_unique<torch::Library>(torch::Library::IMPL, ns, key, file, static_cast<std::uint32_t>(line)));
}

}  // namespace openreg
