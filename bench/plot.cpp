#include <cmath>
#include <map>
#include <sstream>

#include "page.h"

namespace openreg::bench {
namespace {

constexpr double kWidth = 300;
constexpr double kHeight = 200;
constexpr double kMargin = 44;
constexpr int kColumns = 3;
constexpr std::array<const char*, kWays> kColours{"#444444", "#1a73c8", "#2e9e5b", "#d0582e"};
constexpr double kLargestSize = 7.5;                // log10 of elements
constexpr double kFirstTime = -1.5, kLastTime = 6;  // log10 of microseconds

double x_of(double size) { return kMargin + std::log10(size) / kLargestSize * (kWidth - kMargin - 10); }

double y_of(double microseconds) {
  const double part = (std::log10(microseconds) - kFirstTime) / (kLastTime - kFirstTime);
  return kHeight - 30 - part * (kHeight - 60);
}

void write_axes(std::ostream& out, const std::string& title) {
  out << "<text x=\"" << kMargin << "\" y=\"18\" font-weight=\"bold\">" << title << "</text>\n";
  for (const auto& [time, text] : {std::pair{0.1, "0.1 us"}, {10., "10 us"}, {1e3, "1 ms"}, {1e5, "0.1 s"}}) {
    out << "<line x1=\"" << kMargin << "\" x2=\"" << kWidth - 10 << "\" y1=\"" << y_of(time) << "\" y2=\"" << y_of(time)
        << "\" stroke=\"#ddd\"/><text x=\"" << kMargin - 4 << "\" y=\"" << y_of(time) + 3 << "\" text-anchor=\"end\">"
        << text << "</text>\n";
  }
  for (const auto& [size, text] : {std::pair{1., "1"}, {1024., "1 Ki"}, {1048576., "1 Mi"}}) {
    out << "<text x=\"" << x_of(size) << "\" y=\"" << kHeight - 14 << "\" text-anchor=\"middle\">" << text
        << "</text>\n";
  }
}

void write_panel(std::ostream& out, const std::vector<const Row*>& rows, int place) {
  out << "<g transform=\"translate(" << place % kColumns * kWidth << "," << 24 + place / kColumns * kHeight << ")\">\n";
  write_axes(out, rows.front()->series);
  for (std::size_t way = 0; way < kWays; ++way) {
    std::ostringstream points;
    for (const auto* row : rows) {
      if (const auto& time = row->microseconds[way]) {
        points << x_of(row->size) << "," << y_of(time->median) << " ";
      }
    }
    out << "<polyline fill=\"none\" stroke-width=\"1.6\" stroke=\"" << kColours[way] << "\" points=\"" << points.str()
        << "\"/>\n";
  }
  out << "</g>\n";
}

}  // namespace

std::string plot_of(const Results& results) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const Row*>> series;
  for (const auto& row : results.rows) {
    if (!row.series.empty() && row.size > 0) {
      if (series[row.series].empty()) {
        order.push_back(row.series);
      }
      series[row.series].push_back(&row);
    }
  }
  const auto lines = (static_cast<int>(order.size()) + kColumns - 1) / kColumns;
  std::ostringstream out;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << kColumns * kWidth << "\" height=\""
      << 30 + lines * kHeight << "\" font-family=\"sans-serif\" font-size=\"10\">\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  for (std::size_t way = 0; way < kWays; ++way) {
    const double x = kMargin + static_cast<double>(way) * 110;
    out << "<line x1=\"" << x << "\" x2=\"" << x + 24 << "\" y1=\"14\" y2=\"14\" stroke-width=\"2\" stroke=\""
        << kColours[way] << "\"/><text x=\"" << x + 30 << "\" y=\"17\">"
        << std::array<const char*, kWays>{"CPU", "openreg", "staged", "stock"}[way] << "</text>\n";
  }
  int place = 0;
  for (const auto& name : order) {
    write_panel(out, series[name], place++);
  }
  out << "</svg>\n";
  return out.str();
}

}  // namespace openreg::bench
