#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "process.h"

namespace {

struct SharedModel {
  const char* file;
  const char* inputs;
};

void PrintTo(const SharedModel& model, std::ostream* out) { *out << model.file; }

class SharedModels : public testing::TestWithParam<SharedModel> {};

std::string test_name(const testing::TestParamInfo<SharedModel>& info) {
  return std::filesystem::path(info.param.file).stem().string();
}

}  // namespace

// Larger models than the project carries, from the folder that OPENREG_TEST_MODELS names.
TEST_P(SharedModels, RunsAsOnTheCpu) {
  const char* const folder = std::getenv("OPENREG_TEST_MODELS");
  if (folder == nullptr || *folder == '\0') {
    std::cout << "not asked for: OPENREG_TEST_MODELS is not set\n";
    return;  // a folder that lacks a file is a failure
  }
  const auto finished = demo("run '" + std::string(folder) + "/" + GetParam().file + "' " + GetParam().inputs);
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
}

INSTANTIATE_TEST_SUITE_P(All, SharedModels,
                         testing::Values(SharedModel{"abs_mlp.pt", ""}, SharedModel{"mobilenet_v2.pt", ""},
                                         SharedModel{"unet.pt", ""}, SharedModel{"gpt.pt", ""},
                                         SharedModel{"lstm_tagger.pt", ""}, SharedModel{"transformer_encoder.pt", ""},
                                         SharedModel{"silero_vad.jit", "--input float:512 --input int=16000"}),
                         test_name);
