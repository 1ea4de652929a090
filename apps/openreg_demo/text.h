#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace openreg::demo {

// Colour, where the reader is a person at a terminal.
class Style {
 public:
  explicit Style(bool colour) : colour_(colour) {}

  // Colour when the descriptor is a terminal and NO_COLOR is not set.
  static Style of_terminal(int descriptor);

  std::string bold(const std::string& text) const { return paint("1", text); }
  std::string dim(const std::string& text) const { return paint("2", text); }
  std::string green(const std::string& text) const { return paint("32", text); }
  std::string red(const std::string& text) const { return paint("1;31", text); }

 private:
  std::string paint(const char* code, const std::string& text) const;

  bool colour_;
};

enum class Align { left, right };

// Rows of text in aligned columns, two blanks apart.
class Table {
 public:
  explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}

  // Throws c10::Error when the number of cells is not that of the columns.
  void add(std::vector<std::string> cells);

  // One line per row, each after `indent` blanks.
  std::string text(std::size_t indent) const;

 private:
  std::vector<Align> columns_;
  std::vector<std::vector<std::string>> rows_;
};

std::string bytes_text(std::size_t bytes);                       // "1.2 MiB"
std::string seconds_text(double seconds);                        // "3.4 ms"
std::string number_text(double value);                           // short, "inf", "nan"
std::string plural(std::size_t count, const std::string& noun);  // "1 call", "2 calls"

// The text with its lines broken at blanks where they are longer than `width`.
std::string wrapped(const std::string& text, std::size_t width);

}  // namespace openreg::demo
