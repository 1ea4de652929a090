#pragma once

#include <vector>

// A stretch of speech, in seconds from the beginning.
struct Segment {
  double start;
  double end;
};

// Speech begins with a chunk whose probability is at least `threshold`, and ends where the probability then stays
// below it for at least `min_silence` seconds. What is shorter than `min_speech` seconds is not reported.
struct SegmentRules {
  double threshold = 0.5;
  double min_silence = 0.1;
  double min_speech = 0.25;
};

// Probabilities are those of consecutive chunks of `chunk_seconds` each.
std::vector<Segment> find_segments(const std::vector<float>& probabilities, double chunk_seconds,
                                   const SegmentRules& rules = {});
