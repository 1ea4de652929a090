// Finds speech in a sound file with a TorchScript model, on the CPU or on openreg:
//
//   voice_activity silero_vad.jit speech.wav --device openreg:1
//
// The model takes chunks of 512 samples at 16 kHz, keeps a state from one to the next, and answers with the
// probability that there is speech. --probabilities prints each of them too.
#include <ATen/Parallel.h>
#include <openreg/fallback.h>
#include <openreg/openreg.h>
#include <torch/script.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <set>
#include <stdexcept>
#include <string>

#include "segments.h"
#include "sound_file.h"

namespace {

constexpr int kRate = 16000;
constexpr std::int64_t kChunk = 512;
constexpr double kChunkSeconds = static_cast<double>(kChunk) / kRate;

struct Arguments {
  std::string model;
  std::string sound;
  std::string device = "cpu";
  bool probabilities = false;
};

Arguments parse(int count, char** words) {
  Arguments result;
  int files = 0;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--device" && i + 1 < count) {
      result.device = words[++i];
    } else if (word == "--probabilities") {
      result.probabilities = true;
    } else if (word.starts_with("-") || files == 2) {
      throw std::invalid_argument("unknown argument '" + word + "'");
    } else {
      (files++ == 0 ? result.model : result.sound) = word;
    }
  }
  if (files != 2) throw std::invalid_argument("a model and a sound file are needed");
  return result;
}

// The last chunk is filled up with silence.
std::vector<float> speech_probabilities(torch::jit::Module& model, const Sound& sound, torch::Device device) {
  const torch::InferenceMode inference;
  model.run_method("reset_states");
  std::vector<float> result;
  const auto size = static_cast<std::int64_t>(sound.samples.size());
  for (std::int64_t begin = 0; begin < size; begin += kChunk) {
    auto chunk = torch::zeros({kChunk});
    const auto length = std::min(kChunk, size - begin);
    std::copy_n(sound.samples.begin() + begin, length, chunk.data_ptr<float>());
    result.push_back(model.forward({chunk.to(device), kRate}).toTensor().item<float>());
  }
  return result;
}

void print_operators(const std::vector<openreg::LedgerEntry>& entries, torch::Device device) {
  std::set<std::string> names;
  std::uint64_t calls = 0;
  for (const auto& entry : entries) {
    names.insert(entry.op);
    calls += entry.calls;
  }
  std::printf("operators on %s: %zu, called %llu times\n", device.str().c_str(), names.size(),
              static_cast<unsigned long long>(calls));
}

int run(const Arguments& arguments) {
  const auto device = arguments.device == "cpu" ? torch::Device("cpu") : openreg::parse_device(arguments.device);
  const auto sound = read_sound(arguments.sound);
  if (sound.rate != kRate) {
    throw std::runtime_error(arguments.sound + " has " + std::to_string(sound.rate) +
                             " samples a second, and the model takes 16000: convert it first.");
  }
  at::set_num_threads(1);  // a chunk is too small to be shared out
  auto model = torch::jit::load(arguments.model, device);
  model.eval();

  openreg::LedgerScope ledger;
  const auto probabilities = speech_probabilities(model, sound, device);
  const auto entries = ledger.entries();

  if (arguments.probabilities) {
    for (std::size_t i = 0; i < probabilities.size(); ++i) std::printf("chunk %zu: %.9f\n", i, probabilities[i]);
  }
  const double length = static_cast<double>(sound.samples.size()) / kRate;
  for (const auto& segment : find_segments(probabilities, kChunkSeconds)) {
    std::printf("speech %7.3f %7.3f\n", segment.start, std::min(segment.end, length));
  }
  if (!device.is_cpu()) print_operators(entries, device);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(parse(count, words));
  } catch (const std::invalid_argument& error) {
    std::cerr << "voice_activity: " << error.what()
              << "\nusage: voice_activity MODEL SOUND [--device cpu|openreg[:INDEX]] [--probabilities]\n";
    return 2;
  } catch (const c10::Error& error) {
    std::cerr << "voice_activity: " << error.what_without_backtrace() << '\n';
  } catch (const std::exception& error) {
    std::cerr << "voice_activity: " << error.what() << '\n';
  }
  return 1;
}
