#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace openreg::generator {

struct Parameter {
  std::string type;
  std::string name;
};

/// One `struct at::_ops::NAME` of the installed headers.
struct Operator {
  std::string header;       ///< `ATen/ops/add_ops.h`
  std::string struct_name;  ///< `add_Tensor`
  std::string name;         ///< `aten::add`
  std::string overload;     ///< `Tensor`
  std::string result;       ///< return type of call and redispatch
  std::vector<Parameter> parameters;
};

/// The operators of every `ATen/ops/*_ops.h` below the first of these folders that has them, sorted by header.
/// @throws std::runtime_error naming file and line for a form that the reader does not know, and if there is no header.
std::vector<Operator> read_operators(const std::vector<std::filesystem::path>& include_folders);

/// The operators of one header; `label` is the name to include it by.
std::vector<Operator> read_header(const std::filesystem::path& file, const std::string& label);

}  // namespace openreg::generator
