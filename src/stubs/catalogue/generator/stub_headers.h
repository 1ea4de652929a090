#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace openreg::generator {

// One DECLARE_DISPATCH(type, name) of libtorch.
struct DeclaredStub {
  std::string name;       // "abs_stub"
  std::string header;     // "ATen/native/UnaryOps.h"
  std::string signature;  // "void(*)(TensorIteratorBase&)": what the type stands for
  std::string symbol;     // "_ZN2at6native8abs_stubE": the object's name in the library
};

// Every stub of the headers under ATen/ in the first folder that has ATen/native/DispatchStub.h, by header, then as
// declared. Throws std::runtime_error, with file and line, on a form that it does not know.
std::vector<DeclaredStub> read_stubs(const std::vector<std::filesystem::path>& include_folders);

// The same for one header's text.
std::vector<DeclaredStub> read_stubs(const std::string& text, const std::string& header);

}  // namespace openreg::generator
