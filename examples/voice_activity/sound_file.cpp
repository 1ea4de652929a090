#include "sound_file.h"

#include <sndfile.h>

#include <cstddef>
#include <memory>
#include <stdexcept>

Sound read_sound(const std::string& path) {
  SF_INFO info{};
  const std::unique_ptr<SNDFILE, decltype(&sf_close)> file(sf_open(path.c_str(), SFM_READ, &info), &sf_close);
  if (file == nullptr) throw std::runtime_error("cannot read " + path + ": " + sf_strerror(nullptr));

  const auto channels = static_cast<std::size_t>(info.channels);
  std::vector<float> interleaved(static_cast<std::size_t>(info.frames) * channels);
  const auto frames = static_cast<std::size_t>(sf_readf_float(file.get(), interleaved.data(), info.frames));

  Sound sound{std::vector<float>(frames), info.samplerate};
  for (std::size_t i = 0; i < frames; ++i) {
    for (std::size_t channel = 0; channel < channels; ++channel)
      sound.samples[i] += interleaved[i * channels + channel];
    sound.samples[i] /= static_cast<float>(channels);
  }
  return sound;
}
