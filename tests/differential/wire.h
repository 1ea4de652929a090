#pragma once

#include <string>
#include <vector>

#include "differential/child.h"

namespace openreg::differential {

// How a child tells its parent: lines of tab-separated fields.
void write_report(int file, const OperatorReport& report);

// Takes what a child wrote so far and adds the reports in it that are complete. The rest stays in `text`.
void read_reports(std::string& text, std::vector<OperatorReport>& reports);

}  // namespace openreg::differential
