#pragma once

#include <string>
#include <vector>

#include "models/built_models.h"

// The models in the folder OPENREG_TEST_MODELS. Without the variable there are none, and their tests do not exist; with
// it, an absent file is a failure.
namespace openreg::test {

std::string models_folder();

// Files whose method `example` gives inputs, and files that take a chunk of speech and its rate.
std::vector<std::string> file_model_names();
std::vector<std::string> speech_model_names();

// A model of either list, in evaluation mode on the CPU.
Model file_model(const std::string& name);

// 16-bit samples after a WAV header of 44 bytes, as numbers in [-1, 1].
at::Tensor read_speech(const std::string& file);

}  // namespace openreg::test
