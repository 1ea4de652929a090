#include "input_file.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/csrc/jit/serialization/pickle.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "error_text.h"
#include "input_spec.h"

namespace openreg::demo {
namespace {

std::vector<c10::IValue> elements_of(const c10::IValue& value, bool keep_list) {
  if (value.isTuple()) return value.toTupleRef().elements();
  if (value.isList() && !keep_list) return value.toListRef().vec();
  return {value};
}

// torch::save in C++ writes a TorchScript module whose parameters are called "0", "1", ...
std::vector<c10::IValue> values_of_archive(const std::string& path) {
  const auto module = torch::jit::load(path, c10::Device(c10::kCPU));
  std::vector<c10::IValue> values;
  while (module.hasattr(std::to_string(values.size()))) {
    values.push_back(module.attr(std::to_string(values.size())));
  }
  TORCH_CHECK(!values.empty(), "it is a TorchScript module, not tensors written by torch::save.");
  return values;
}

}  // namespace

void check_readable(const std::string& path) {
  std::error_code error;
  if (access(path.c_str(), R_OK) != 0) {
    error.assign(errno, std::generic_category());
  } else if (std::filesystem::is_directory(path, error)) {
    error = std::make_error_code(std::errc::is_a_directory);
  }
  TORCH_CHECK(!error, "cannot read '", path, "': ", error.message(), ".");
}

std::vector<c10::IValue> values_from_file(const std::string& path, bool keep_list) {
  try {
    check_readable(path);
  } catch (const c10::Error& error) {
    TORCH_CHECK(false, "--input: ", error_line(error), " Note: ", kInputForms, ".");
  }
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  std::string problem;
  try {
    return elements_of(torch::jit::pickle_load(bytes), keep_list);
  } catch (const std::exception& error) {
    problem = error_line(error);
  }
  try {
    return values_of_archive(path);
  } catch (const std::exception& error) {
    TORCH_CHECK(false, "--input: '", path,
                "' holds no saved tensors. Read as torch::pickle_save's or torch.save's: ", problem,
                " Read as torch::save's: ", error_line(error));
  }
}

}  // namespace openreg::demo
