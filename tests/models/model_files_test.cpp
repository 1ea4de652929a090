#include <gtest/gtest.h>
#include <openreg/openreg.h>
#include <torch/script.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "models/run_both.h"
#include "support/compare.h"
#include "support/samples.h"

// The models in the folder OPENREG_TEST_MODELS. Without the variable these tests do not exist; with it, an absent file
// is a failure.
namespace openreg::test {
namespace {

std::string models_folder() {
  const char* folder = std::getenv("OPENREG_TEST_MODELS");
  return folder == nullptr ? "" : folder;
}

std::vector<std::string> when_there(std::vector<std::string> files) {
  if (!models_folder().empty()) {
    return files;
  }
  std::cout << "OPENREG_TEST_MODELS is not set: the tests of " << files.front() << " and others do not run.\n";
  return {};
}

class ModelFiles : public testing::TestWithParam<std::string> {
 protected:
  static std::string path() { return models_folder() + "/" + GetParam(); }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ModelFiles);

TEST_P(ModelFiles, GivesTheCpusResults) {
  auto module = torch::jit::load(path());
  module.eval();
  const auto inputs = module.get_method("example")({}).toTensorVector();
  expect_same_on_both(module, std::vector<c10::IValue>(inputs.begin(), inputs.end()));
}

TEST_P(ModelFiles, LoadsOntoTheDevice) {
  auto module = torch::jit::load(path(), device(1));
  for (const auto& parameter : module.parameters()) {
    EXPECT_EQ(parameter.device(), device(1));
  }
  for (const auto& buffer : module.buffers()) {
    EXPECT_EQ(buffer.device(), device(1));
  }
}

INSTANTIATE_TEST_SUITE_P(Folder, ModelFiles,
                         testing::ValuesIn(when_there({"abs_mlp.pt", "mobilenet_v2.pt", "unet.pt", "gpt.pt",
                                                       "lstm_tagger.pt", "transformer_encoder.pt"})),
                         [](const auto& test) { return test.param.substr(0, test.param.find('.')); });

// 16-bit samples after a WAV header of 44 bytes, as numbers in [-1, 1].
at::Tensor read_speech(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(44);
  std::vector<std::int16_t> samples(16'000);
  stream.read(reinterpret_cast<char*>(samples.data()), static_cast<std::streamsize>(samples.size() * 2));
  EXPECT_TRUE(stream.good()) << file;
  return at::tensor(at::ArrayRef<std::int16_t>(samples), at::kShort).to(at::kFloat) / 32768;
}

class Silero : public testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Silero);

// Keeps a state from chunk to chunk, on the device too.
TEST_P(Silero, HearsTheSameSpeechOnBoth) {
  const torch::NoGradGuard no_grad;
  auto cpu = torch::jit::load(models_folder() + "/" + GetParam());
  auto ours = torch::jit::load(models_folder() + "/" + GetParam());
  cpu.eval();
  ours.eval();
  ours.to(device());
  ASSERT_TRUE(is_on_device(ours));
  const auto speech = read_speech(models_folder() + "/speech.wav");
  for (std::int64_t i = 0; i + 512 <= speech.numel(); i += 512) {
    const auto chunk = speech.narrow(0, i, 512);
    const auto expected = cpu.forward({chunk, 16000}).toTensor();
    const auto actual = ours.forward({chunk.to(device()), 16000});
    EXPECT_TRUE(is_on_device(actual));
    EXPECT_TRUE(close_to(expected, actual.toTensor(), 1e-5)) << "chunk " << i / 512;
  }
}

INSTANTIATE_TEST_SUITE_P(Folder, Silero, testing::ValuesIn(when_there({"silero_vad.jit"})),
                         [](const auto&) { return "vad"; });

}  // namespace
}  // namespace openreg::test
