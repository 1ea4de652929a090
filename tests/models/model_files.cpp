#include "models/model_files.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>

namespace openreg::test {
namespace {

std::vector<std::string> when_there(std::vector<std::string> files) {
  if (!models_folder().empty()) {
    return files;
  }
  std::cout << "OPENREG_TEST_MODELS is not set: the tests of " << files.front() << " and others do not run.\n";
  return {};
}

}  // namespace

std::string models_folder() {
  const char* folder = std::getenv("OPENREG_TEST_MODELS");
  return folder == nullptr ? "" : folder;
}

std::vector<std::string> file_model_names() {
  return when_there({"abs_mlp.pt", "mobilenet_v2.pt", "unet.pt", "gpt.pt", "lstm_tagger.pt", "transformer_encoder.pt"});
}

std::vector<std::string> speech_model_names() { return when_there({"silero_vad.jit"}); }

Model file_model(const std::string& name) {
  Model model;
  model.module = torch::jit::load(models_folder() + "/" + name);
  model.module.eval();
  const auto speech = speech_model_names();
  if (std::find(speech.begin(), speech.end(), name) != speech.end()) {
    model.inputs = {read_speech(models_folder() + "/speech.wav").narrow(0, 0, 512), 16000};
  } else {
    const auto inputs = model.module.get_method("example")({}).toTensorVector();
    model.inputs.assign(inputs.begin(), inputs.end());
  }
  return model;
}

at::Tensor read_speech(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(44);
  std::vector<std::int16_t> samples(16'000);
  stream.read(reinterpret_cast<char*>(samples.data()), static_cast<std::streamsize>(samples.size() * 2));
  EXPECT_TRUE(stream.good()) << file;
  return at::tensor(at::ArrayRef<std::int16_t>(samples), at::kShort).to(at::kFloat) / 32768;
}

}  // namespace openreg::test
