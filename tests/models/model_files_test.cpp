#include <gtest/gtest.h>
#include <openreg/openreg.h>
#include <torch/script.h>

#include "models/model_files.h"
#include "models/run_both.h"
#include "support/compare.h"
#include "support/samples.h"

namespace openreg::test {
namespace {

class ModelFiles : public testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ModelFiles);

TEST_P(ModelFiles, GivesTheCpusResults) {
  const auto model = file_model(GetParam());
  expect_same_on_both(model.module, model.inputs);
}

TEST_P(ModelFiles, LoadsOntoTheDevice) {
  auto module = torch::jit::load(models_folder() + "/" + GetParam(), device(1));
  for (const auto& parameter : module.parameters()) {
    EXPECT_EQ(parameter.device(), device(1));
  }
  for (const auto& buffer : module.buffers()) {
    EXPECT_EQ(buffer.device(), device(1));
  }
}

INSTANTIATE_TEST_SUITE_P(Folder, ModelFiles, testing::ValuesIn(file_model_names()),
                         [](const auto& test) { return test.param.substr(0, test.param.find('.')); });

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

INSTANTIATE_TEST_SUITE_P(Folder, Silero, testing::ValuesIn(speech_model_names()), [](const auto&) { return "vad"; });

}  // namespace
}  // namespace openreg::test
