#pragma once

#include <torch/library.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace openreg {

// Leaked: see Note [One registration]; but reachable, so that leak checkers are silent. One thread at a time.
inline torch::Library& keep(std::unique_ptr<torch::Library> library) {
  static auto* const kept = new std::vector<std::unique_ptr<torch::Library>>;
  return *kept->emplace_back(std::move(library));
}

// "src/ops/copy.cpp" of whatever path the compiler was given: the dispatcher's tables show it, and neither the build
// tree nor a compiler cache that another tree has filled should.
constexpr const char* source_path(const char* file) {
  const auto place = std::string_view(file).rfind("src/");
  return place == std::string_view::npos ? file : file + place;
}

// What TORCH_LIBRARY_IMPL(ns, key, m) gives as m. The tables show the caller's file and line; clang 14 has no
// std::source_location.
inline torch::Library& library(const char* ns, c10::DispatchKey key, const char* file = __builtin_FILE(),
                               int line = __builtin_LINE()) {
  return keep(std::make_unique<torch::Library>(torch::Library::IMPL, ns, key, source_path(file),
                                               static_cast<std::uint32_t>(line)));
}

}  // namespace openreg
