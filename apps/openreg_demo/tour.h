#pragma once

#include <ATen/core/Tensor.h>

#include <iosfwd>
#include <string>
#include <vector>

#include "text.h"

namespace openreg::demo {

// What the steps of the tour share: it prints and counts. Each line that makes a claim is a check.
class Tour {
 public:
  Tour(std::ostream& out, Style style) : out_(out), style_(style) {}

  using Step = void (*)(Tour&);

  // Runs a step under a numbered heading. An exception that it lets out is a failed check.
  void run(const char* title, Step step);

  // Sentences, indented and broken into lines.
  void say(const std::string& text);

  // Lines that stay as they are, indented.
  void block(const std::string& text);

  // A line of C++ that the step runs; see OPENREG_DEMO_SHOW.
  void code(const std::string& text);

  // "ok" or "FAILED" and what was looked at; `found` says what is there instead, and is printed on failure.
  void check(bool ok, const std::string& claim, const std::string& found = "");

  // Checks that a device tensor has the CPU's values, up to `tolerance`.
  void check_equal(const std::string& name, const at::Tensor& from_cpu, const at::Tensor& from_device,
                   double tolerance = 0);

  // The last lines, and the exit status: 1 when a check failed.
  int finish();

 private:
  std::ostream& out_;
  Style style_;
  int steps_ = 0;
  int checks_ = 0;
  std::string title_;
  std::vector<std::string> failed_;
};

// Runs the whole tour and returns the exit status. Throws c10::Error when the device cannot start.
int run_tour(std::ostream& out, Style style);

// The steps; tour.cpp has their order.
void step_devices(Tour& tour);
void step_dispatch_keys(Tour& tour);
void step_isolation(Tour& tour);
void step_own_operators(Tour& tour);
void step_views(Tour& tour);
void step_stub(Tour& tour);
void step_custom_operator(Tour& tour);
void step_selective_fallback(Tour& tour);
void step_global_fallback(Tour& tour);
void step_forbidden(Tour& tour);
void step_fallback_off(Tour& tour);
void step_network(Tour& tour);

}  // namespace openreg::demo

// Prints a statement and runs it, so that what the reader sees is what ran.
#define OPENREG_DEMO_SHOW(tour, ...) \
  (tour).code(#__VA_ARGS__ ";");     \
  __VA_ARGS__
