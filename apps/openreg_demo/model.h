#pragma once

#include <c10/core/Device.h>
#include <torch/csrc/jit/api/module.h>

#include <string>

namespace openreg::demo {

// A TorchScript model that can be loaded once for each device.
class ModelSource {
 public:
  // The file at `path`, or the bundled model when it is empty. Throws c10::Error when the file cannot be read.
  explicit ModelSource(std::string path);

  // A name for people: the file's, or "the bundled model".
  const std::string& name() const noexcept { return name_; }

  // Loads it, in evaluation mode. Throws c10::Error that names the file when it is no TorchScript.
  torch::jit::Module load(c10::Device device) const;

 private:
  std::string path_;
  std::string name_;
};

// Throws c10::Error that names the first parameter or buffer that is elsewhere.
void check_on_device(const torch::jit::Module& module, c10::Device device);

// "12 parameters, 3 buffers, 1.2 MiB"
std::string size_text(const torch::jit::Module& module);

}  // namespace openreg::demo
