#pragma once

#include <string>
#include <vector>

struct Sound {
  std::vector<float> samples;  // one channel, -1 to 1
  int rate = 0;                // samples a second
};

// Reads whatever libsndfile can read; several channels are averaged. Throws std::runtime_error that names the file.
Sound read_sound(const std::string& path);
