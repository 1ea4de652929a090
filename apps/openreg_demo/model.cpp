#include "model.h"

#include <openreg/modules.h>
#include <torch/csrc/jit/serialization/import.h>

#include <sstream>

#include "bundled_model.h"
#include "error_text.h"
#include "input_file.h"
#include "text.h"

namespace openreg::demo {

ModelSource::ModelSource(std::string path)
    : path_(std::move(path)), name_(path_.empty() ? "the bundled model" : path_) {
  if (!path_.empty()) {
    check_readable(path_);
  }
}

torch::jit::Module ModelSource::load(c10::Device device) const {
  try {
    std::istringstream bundled(path_.empty() ? bundled_model() : "");
    auto module = path_.empty() ? torch::jit::load(bundled, device) : torch::jit::load(path_, device);
    module.eval();
    if (device.type() == c10::kPrivateUse1) {
      retarget(module, device);  // a traced model names in its code the device on which it was traced
    }
    return module;
  } catch (const std::exception& error) {
    TORCH_CHECK(false, "cannot load '", name_, "' as TorchScript on ", device, ": ", error_line(error));
  }
}

void check_on_device(const torch::jit::Module& module, c10::Device device) {
  const auto check = [&](const char* kind, const auto& list) {
    for (const auto& entry : list) {
      TORCH_CHECK(!entry.value.defined() || entry.value.device() == device, kind, " '", entry.name, "' is on ",
                  entry.value.device(), ", not on ", device, ": the model was not moved as a whole.");
    }
  };
  check("parameter", module.named_parameters());
  check("buffer", module.named_buffers());
}

std::string size_text(const torch::jit::Module& module) {
  std::size_t bytes = 0;
  std::size_t parameters = 0;
  std::size_t buffers = 0;
  for (const auto& tensor : module.parameters()) {
    bytes += tensor.nbytes();
    ++parameters;
  }
  for (const auto& tensor : module.buffers()) {
    bytes += tensor.nbytes();
    ++buffers;
  }
  return plural(parameters, "parameter") + ", " + plural(buffers, "buffer") + ", " + bytes_text(bytes);
}

}  // namespace openreg::demo
