#include "segments.h"

#include <cstddef>

std::vector<Segment> find_segments(const std::vector<float>& probabilities, double chunk_seconds,
                                   const SegmentRules& rules) {
  std::vector<Segment> segments;
  std::size_t start = 0;   // first chunk of the speech that is open
  std::size_t silent = 0;  // chunks below the threshold since its last loud one
  bool open = false;
  const auto close = [&](std::size_t end) {
    if (static_cast<double>(end - start) * chunk_seconds >= rules.min_speech) {
      segments.push_back({static_cast<double>(start) * chunk_seconds, static_cast<double>(end) * chunk_seconds});
    }
    open = false;
  };
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    if (probabilities[i] >= rules.threshold) {
      if (!open) start = i;
      open = true;
      silent = 0;
    } else if (open && static_cast<double>(++silent) * chunk_seconds >= rules.min_silence) {
      close(i + 1 - silent);
    }
  }
  if (open) close(probabilities.size() - silent);
  return segments;
}
