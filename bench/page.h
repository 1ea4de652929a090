#pragma once

#include <string>

#include "json.h"

namespace openreg::bench {

// The page of numbers: Markdown, with the limit of each row and how far it is from it. It shows the plot
// "performance.svg".
std::string page_of(const Results& results);

// Cost against size, a panel for each series.
std::string plot_of(const Results& results);

// One row on the terminal.
void print_head();
void print(const Row& row);

}  // namespace openreg::bench
