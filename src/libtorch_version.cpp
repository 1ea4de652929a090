#include "libtorch_version.h"

#include <c10/macros/Export.h>
#include <torch/version.h>

#include <map>
#include <string_view>

// Every libtorch exports it; some install no header that declares it.
namespace caffe2 {
TORCH_API const std::map<std::string, std::string>& GetBuildOptions();
}

namespace openreg {
namespace {

// "2.6.0" of "2.6.0a0+git1234": headers and library write what follows in different ways.
std::string_view release(std::string_view version) {
  return version.substr(0, version.find_first_not_of("0123456789."));
}

}  // namespace

std::string libtorch_mismatch() {
  const auto& options = caffe2::GetBuildOptions();
  const auto found = options.find("TORCH_VERSION");
  if (found == options.end() || release(found->second) == release(TORCH_VERSION)) return "";
  return "openreg is not registered: it was built with libtorch " TORCH_VERSION ", and libtorch " + found->second +
         " is loaded. Run the program with the libtorch that it was built with (see LD_LIBRARY_PATH and ldd), or build "
         "openreg with this one.";
}

}  // namespace openreg
